"""The settings of the site; `make docs` builds it. What is generated beforehand is in `docs/building`."""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from building import docstrings, links  # noqa: E402

from tallyplan import __version__  # noqa: E402

project = "tallyplan"
author = "The tallyplan authors"
copyright = author
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinxcontrib.bibtex",
    "sphinx_design",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "building", "schemas", "**/.ipynb_checkpoints"]
nitpicky = True

# Pages are Markdown; notebooks are executed, and an error in one ends the build.
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
nb_execution_mode = "cache"
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "alpha"
bibtex_reference_style = "author_year"

# Docstrings are Markdown with the sections of numpydoc; `building.docstrings` makes fields of them.
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
default_role = "code"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"tallyplan {version}"
html_static_path = ["_static", "generated/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
mathjax_path = "mathjax/tex-svg.js"  # one file, from the package sphinx-mathjax-offline; nothing is fetched
mathjax3_config = {"options": {"enableMenu": False}, "svg": {"fontCache": "global"}}
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True


def setup(app: Any) -> None:
    """Links into the repository become links between pages; docstrings become what Sphinx reads."""
    app.connect("source-read", links.within_the_site)
    app.connect("autodoc-process-docstring", docstrings.for_sphinx)
