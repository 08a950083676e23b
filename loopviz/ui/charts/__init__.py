"""Tables in, Plotly figures out; nothing here knows of Streamlit."""
