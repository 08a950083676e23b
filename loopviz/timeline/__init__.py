"""The picture of a run: what to draw as plain arrays, and the canvas script that draws it."""
