"""Pictures, one kind per file, in one style (`style`). Matplotlib is imported only when one is drawn."""

from tallyplan.pictures.heat_map import draw_heat_map, draw_losses
from tallyplan.pictures.plans import draw_timeline
from tallyplan.pictures.state_graph import draw_state_graph
from tallyplan.pictures.style import picture_bytes, picture_format, short, write_picture

__all__ = [
    "draw_heat_map",
    "draw_losses",
    "draw_state_graph",
    "draw_timeline",
    "picture_bytes",
    "picture_format",
    "short",
    "write_picture",
]
