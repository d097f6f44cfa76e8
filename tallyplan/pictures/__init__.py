"""Pictures, one kind per file. Matplotlib is imported only when one is drawn."""

from tallyplan.pictures.files import picture_bytes, picture_format, write_picture
from tallyplan.pictures.state_graph import cycle_edges, draw_state_graph, short

__all__ = ["cycle_edges", "draw_state_graph", "picture_bytes", "picture_format", "short", "write_picture"]
