"""The report: what the code finds, as one HTML file that makes no requests.

`contents` asks the questions (claims, constants, games), keeping the answers in a store; `study` reads a
study of the user's own; `writing` puts all of it into the file, whose parts are `template.html`, `page.css`
and `page.js`.
"""
