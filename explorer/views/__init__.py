"""Values -> tables, figures and html. No streamlit."""
