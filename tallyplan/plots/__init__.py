"""Pictures, one kind a file. Matplotlib is imported only when one is drawn."""

from tallyplan.plots.files import picture_bytes, picture_format, write_picture
from tallyplan.plots.state_graph import cycle_edges, draw_state_graph, short

__all__ = ["cycle_edges", "draw_state_graph", "picture_bytes", "picture_format", "short", "write_picture"]
