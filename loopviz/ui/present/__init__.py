"""What the page Present is made of, and the one file that it can be saved as."""
