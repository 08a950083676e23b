"""The Tune page: what each setting would say of many runs, and what that rests on, as plain values to draw."""
