"""A run for people who never saw one: a headline, one number, a plain picture and a replay, as plain data and SVG."""
