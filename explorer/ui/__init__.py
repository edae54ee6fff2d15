"""The only streamlit code besides app.py and pages/."""
