"""The report: what the code finds, as one HTML file that asks nobody for anything.

`contents` asks the questions (claims, constants, games), keeping the answers in a store; `race` and `study`
read what was recorded; `charts` says what is drawn; `writing` puts all of it, and the runtime that draws,
into the file. `template.html`, `page.css` and `page.js` are its parts.
"""
