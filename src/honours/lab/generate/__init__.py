"""A synthetic federation-year from a seed, calibrated to what the sources publish."""
