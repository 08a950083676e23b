"""The Compare page: what is compared, and what it shows."""
