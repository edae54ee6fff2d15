// While a browser still fetches a script it may make the first calls in any order; the one with the newest data counts.
const newest = (draw) => (call) => {
  const place = call.parentElement;
  if (call.data.at < (place.at ?? 0)) return;
  place.at = call.data.at;
  return draw(call);
};
