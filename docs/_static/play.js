// A tallying bandit to play with: the least long-run loss per step, exactly, while the table changes.
//
// Losses are rationals of BigInt, scaled to integers by their common denominator. The best cycle is found as
// tallyplan finds it: with U = num/den the mean of the best cycle so far, Bellman-Ford on den*c - num keeps the
// action by which each history was reached; a cycle of these parents has a smaller mean and becomes U; a sweep
// that changes nothing proves that no cycle is better, and its potentials are verified on every edge again.
"use strict";

const Tally = (() => {
  // --- rationals ---------------------------------------------------------------------------------------------

  const gcd = (a, b) => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));

  function rational(n, d = 1n) {
    const divisor = gcd(n, d) * (d < 0n ? -1n : 1n);
    return { n: n / divisor, d: d / divisor };
  }

  // "3", "3/10", "0.3": the rationals of instance files; anything else is an error.
  function parse(text) {
    const fraction = /^(\d+)(?:\/(\d+))?$/.exec(text.trim());
    const decimal = /^(\d*)\.(\d+)$/.exec(text.trim());
    if (fraction && BigInt(fraction[2] ?? 1n) !== 0n) return rational(BigInt(fraction[1]), BigInt(fraction[2] ?? 1n));
    if (decimal) return rational(BigInt(decimal[1] + decimal[2]), 10n ** BigInt(decimal[2].length));
    throw new Error(`${text} is no number such as 3, 3/10 or 0.3.`);
  }

  const written = (value) => `${value.n}/${value.d}`;
  const short = (value) => (value.d === 1n ? `${value.n}` : written(value));

  // --- the graph of histories ----------------------------------------------------------------------------------

  // A history, the last m-1 actions, is a number in base K, the oldest action first.
  function graph(losses) {
    const K = losses.length;
    const m = losses[0].length;
    const states = K ** (m - 1);
    const denominator = losses.flat().reduce((d, h) => (d / gcd(d, h.d)) * h.d, 1n);
    const scaled = losses.map((row) => row.map((h) => h.n * (denominator / h.d)));
    const digits = (state) => {
      const found = [];
      for (let i = 0; i < m - 1; i++, state = Math.floor(state / K)) found.unshift(state % K);
      return found;
    };
    const histories = Array.from({ length: states }, (_, state) => digits(state));
    const tally = (state, action) => 1 + histories[state].filter((one) => one === action).length;
    return {
      K, m, states, denominator, histories, tally,
      cost: histories.map((_, state) => losses.map((_, action) => scaled[action][tally(state, action) - 1])),
      next: (state, action) => (m === 1 ? 0 : (state * K + action) % states),
    };
  }

  // The history after a word has been repeated for long.
  function settled(word, g) {
    let state = 0;
    for (let i = 0; i < (g.m - 1) * word.length; i++) state = g.next(state, word[i % word.length]);
    return state;
  }

  function steps(word, g) {
    let state = settled(word, g);
    return word.map((action) => {
      const step = { state, action, tally: g.tally(state, action), cost: g.cost[state][action] };
      state = g.next(state, action);
      return step;
    });
  }

  const total = (word, g) => steps(word, g).reduce((sum, step) => sum + step.cost, 0n);

  // --- the best cycle --------------------------------------------------------------------------------------------

  function minimumMeanCycle(losses) {
    const g = graph(losses);
    let word = [0];
    for (let action = 1; action < g.K; action++) if (total([action], g) < total(word, g)) word = [action];
    for (;;) {
      const num = total(word, g);
      const found = search(g, num, BigInt(word.length));
      if (found.potentials) {
        verify(g, num, BigInt(word.length), found.potentials);
        return { value: rational(num, BigInt(word.length) * g.denominator), word: leastRotation(word), graph: g };
      }
      word = found.word;
    }
  }

  // A cycle of smaller mean than num/den, or potentials that exclude one.
  function search(g, num, den) {
    const potentials = new Array(g.states).fill(0n);
    const parents = new Array(g.states).fill(null);
    for (;;) {
      let changed = false;
      for (let state = 0; state < g.states; state++) {
        for (let action = 0; action < g.K; action++) {
          const target = g.next(state, action);
          const reached = potentials[state] + den * g.cost[state][action] - num;
          if (reached < potentials[target]) {
            potentials[target] = reached;
            parents[target] = { state, action };
            changed = true;
          }
        }
      }
      if (!changed) return { potentials };
      const word = cycleOf(parents);
      if (word) return { word };
    }
  }

  // The actions along a cycle of the parents, if they have one.
  function cycleOf(parents) {
    const seen = new Array(parents.length).fill(-1);
    for (let start = 0; start < parents.length; start++) {
      let state = start;
      while (seen[state] === -1 && parents[state]) {
        seen[state] = start;
        state = parents[state].state;
      }
      if (seen[state] === start && parents[state]) {
        const word = [];
        let at = state;
        do {
          word.unshift(parents[at].action);
          at = parents[at].state;
        } while (at !== state);
        return word;
      }
    }
    return null;
  }

  // The same cycle, told from where its word is first in the order of the dictionary.
  function leastRotation(word) {
    const rotations = word.map((_, i) => [...word.slice(i), ...word.slice(0, i)]);
    return rotations.reduce((least, one) => (one.join() < least.join() ? one : least));
  }

  function verify(g, num, den, potentials) {
    for (let state = 0; state < g.states; state++) {
      for (let action = 0; action < g.K; action++) {
        const slack = potentials[state] + den * g.cost[state][action] - num - potentials[g.next(state, action)];
        if (slack < 0n) throw new Error("a potential is violated; please report this table.");
      }
    }
  }

  return { parse, rational, written, short, graph, steps, minimumMeanCycle };
})();

// --- the page ----------------------------------------------------------------------------------------------------

const TallyPage = (() => {
  const HUES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"]; // those of tallyplan/pictures/style.py
  const LIGHT_TEXT = [true, false, false, false];
  const MOST_ACTIONS = HUES.length;
  const MOST_MEMORY = 5;
  const MOST_DRAWN = 64; // states
  const PRESETS = {
    "Counterexample 3 of the paper": "10;0,10;0,10",
    "three arms, no single run is optimal": "1000;77,23,29;3,34,45;10,82,83",
    "worn out: losses rise": "10;1,4,9;2,5,8;3,6,7",
    "learning: losses fall": "10;9,4,1;8,6,2",
    "the worst table for Lemma 3 at K = 2, m = 3": "1;0,0,1;0,1,1",
  };
  const SVG = "http://www.w3.org/2000/svg";

  // "denominator;row;row": what a link to this page keeps after #.
  function read(text) {
    const [first, ...rows] = text.split(";").map((part) => part.split(",").map(Number));
    const [denominator] = first;
    const whole = [denominator, ...rows.flat()].every((n) => Number.isInteger(n) && n >= 0 && n <= 1000);
    const square = rows.length >= 1 && rows.every((row) => row.length === rows[0].length);
    const fits = rows.length <= MOST_ACTIONS && square && rows[0].length >= 1 && rows[0].length <= MOST_MEMORY;
    if (!whole || !fits || denominator < 1 || rows.flat().some((n) => n > denominator)) return null;
    return { denominator, rows };
  }

  const write = (table) => [table.denominator, ...table.rows.map((row) => row.join(","))].join(";");

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function drawn(name, attributes = {}, text = "") {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  const losses = (table) => table.rows.map((row) => row.map((n) => Tally.rational(BigInt(n), BigInt(table.denominator))));
  const about = (value) => (Number(value.n) / Number(value.d)).toPrecision(5);
  const name = (history) => history.join("") || "ε";

  // --- pictures --------------------------------------------------------------------------------------------------

  function picture(title, size) {
    const svg = drawn("svg", { viewBox: `${-size} ${-size} ${2 * size} ${2 * size}`, role: "img", "aria-label": title });
    svg.append(drawn("title", {}, title));
    return svg;
  }

  const around = (i, count, radius) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  };

  function ring(found, g) {
    const svg = picture(`the optimal cycle: ${found.steps.map((s) => `arm ${s.action}, tally ${s.tally}, loss ${s.loss}`).join("; ")}`, 210);
    const radius = 110;
    svg.append(drawn("circle", { r: radius, class: "band" }));
    found.steps.forEach((step, i) => {
      const [x, y] = around(i, found.steps.length, radius);
      const [u, v] = around(i, found.steps.length, radius + 46);
      svg.append(drawn("circle", { cx: x, cy: y, r: 17, fill: HUES[step.action], class: "disc" }));
      const light = LIGHT_TEXT[step.action] ? "light" : "dark";
      svg.append(drawn("text", { x, y: y + 5, class: `arm ${light}` }, step.action));
      svg.append(drawn("text", { x: u, y: v - 3, class: "label" }, `tally ${step.tally}`));
      svg.append(drawn("text", { x: u, y: v + 11, class: "label" }, step.loss));
    });
    const [x, y] = around(0.35, Math.max(2, found.steps.length), radius - 34);
    svg.append(drawn("text", { x: 0, y: -4, class: "value" }, Tally.short(found.value)));
    svg.append(drawn("text", { x: 0, y: 14, class: "label" }, "per step"));
    if (found.steps.length > 1) svg.append(drawn("text", { x, y, class: "label" }, "↻"));
    return svg;
  }

  function stateGraph(found, g) {
    if (g.states > MOST_DRAWN) {
      return element("p", {}, `The graph has ${g.states} histories, too many to look at; the cycle is on the right.`);
    }
    const cycle = [...new Set(found.steps.map((step) => step.state))];
    const others = g.histories.map((_, state) => state).filter((state) => !cycle.includes(state));
    const order = [...cycle, ...others];
    const places = new Map(order.map((state, i) => [state, around(i, order.length, order.length === 1 ? 0 : 150)]));
    const marked = new Set(found.steps.map((step) => `${step.state} ${step.action}`));
    const svg = picture(`the state graph: ${g.states} histories, the optimal cycle in yellow`, 215);
    const arrows = [];
    for (const state of order) {
      for (let action = 0; action < g.K; action++) {
        const path = arrow(places, state, g.next(state, action), action, g.K);
        const told = `${name(g.histories[state])}, play ${action}: loss ${Tally.short(Tally.rational(g.cost[state][action], g.denominator))}`;
        arrows.push({ path, action, told, marked: marked.has(`${state} ${action}`) });
      }
    }
    for (const one of arrows) if (one.marked) svg.append(drawn("path", { d: one.path, class: "band" }));
    for (const one of arrows) {
      const line = drawn("path", { d: one.path, stroke: HUES[one.action], class: one.marked ? "arrow marked" : "arrow" });
      line.append(drawn("title", {}, one.told));
      svg.append(line);
    }
    const size = g.states > 30 ? 9 : 15;
    for (const [state, [x, y]] of places) {
      svg.append(drawn("circle", { cx: x, cy: y, r: size, class: cycle.includes(state) ? "node on" : "node" }));
      const letter = Math.min(11, (2.6 * size) / Math.max(2, g.m - 1));
      const style = `font-size: ${letter}px`;
      svg.append(drawn("text", { x, y: y + 0.35 * letter, class: "history", style }, name(g.histories[state])));
    }
    return svg;
  }

  // A curve that bends to its left, with a head; a loop points away from the centre.
  function arrow(places, source, target, action, actions) {
    const [x, y] = places.get(source);
    const rim = places.size > 30 ? 10 : 16;
    if (source === target) {
      const base = places.size === 1 ? (2 * Math.PI * action) / actions - Math.PI / 2 : Math.atan2(y, x);
      const at = (turn, length) => `${x + length * Math.cos(base + turn)},${y + length * Math.sin(base + turn)}`;
      return `M${at(-0.5, rim)} C${at(-0.6, 4 * rim)} ${at(0.6, 4 * rim)} ${at(0.5, rim)}`;
    }
    const [u, v] = places.get(target);
    const [dx, dy] = [u - x, v - y];
    const [cx, cy] = [(x + u) / 2 + 0.18 * dy, (y + v) / 2 - 0.18 * dx];
    const towards = (a, b) => {
      const length = Math.hypot(cx - a, cy - b) || 1;
      return [a + (rim * (cx - a)) / length, b + (rim * (cy - b)) / length];
    };
    const [[sx, sy], [ex, ey]] = [towards(x, y), towards(u, v)];
    const angle = Math.atan2(ey - cy, ex - cx);
    const head = (turn) => `${ex - 7 * Math.cos(angle + turn)},${ey - 7 * Math.sin(angle + turn)}`;
    return `M${sx},${sy} Q${cx},${cy} ${ex},${ey} M${head(0.45)} L${ex},${ey} L${head(-0.45)}`;
  }

  // --- controls --------------------------------------------------------------------------------------------------

  function mount(root) {
    const state = { table: read(decodeURIComponent(location.hash.slice(1))) ?? read(Object.values(PRESETS)[1]) };
    const controls = element("div", { class: "tp-controls" });
    const answer = element("div", { class: "tp-answer", role: "status" });
    const pictures = element("div", { class: "tp-pictures" });
    const words = element("div", { class: "tp-words" });
    root.replaceChildren(controls, answer, pictures, words);

    function solve() {
      const best = Tally.minimumMeanCycle(losses(state.table));
      const g = best.graph;
      const steps = Tally.steps(best.word, g).map((step) => ({
        ...step,
        loss: Tally.short(Tally.rational(step.cost, g.denominator)),
      }));
      const found = { value: best.value, word: best.word, steps };
      answer.replaceChildren(
        element("p", { class: "tp-value" }, "least loss per step ", element("strong", {}, Tally.written(best.value)), ` (about ${about(best.value)})`),
        element("p", {}, "by repeating ", element("code", {}, best.word.join("")), `; no policy does better: potentials on ${g.states} histories, verified on all ${g.states * g.K} edges`),
      );
      pictures.replaceChildren(
        element("figure", {}, element("figcaption", {}, "The state graph: an arrow for each action, the optimal cycle in yellow."), stateGraph(found, g)),
        element("figure", {}, element("figcaption", {}, "The optimal cycle: arm, tally and loss of each step."), ring(found, g)),
      );
      const file = JSON.stringify({ memory: g.m, losses: losses(state.table).map((row) => row.map(Tally.written)) });
      words.replaceChildren(
        element("p", {}, "The same with tallyplan, and a certificate: save this as ", element("code", {}, "h.json"), " and run ", element("code", {}, "tallyplan cycle h.json --certificate h.cert"), "."),
        element("pre", { tabindex: "0", "aria-label": "instance file" }, element("code", {}, file)),
      );
      root.dataset.value = Tally.written(best.value);
      root.dataset.word = best.word.join(",");
      history.replaceState(null, "", `#${write(state.table)}`);
    }

    function resize(actions, memory) {
      const { rows, denominator } = state.table;
      const cell = (x, y) => rows[x]?.[y] ?? Math.round((denominator * ((3 * x + 2 * y) % 5)) / 4);
      state.table = {
        denominator,
        rows: Array.from({ length: actions }, (_, x) => Array.from({ length: memory }, (_, y) => cell(x, y))),
      };
      build();
    }

    function refine(denominator) {
      const { rows, denominator: old } = state.table;
      state.table = { denominator, rows: rows.map((row) => row.map((n) => Math.round((n * denominator) / old))) };
      build();
    }

    function slider(label, least, most, value, change) {
      const input = element("input", { type: "range", min: least, max: most, step: 1, value });
      const shown = element("output", {}, value);
      input.addEventListener("input", () => (shown.textContent = input.value));
      input.addEventListener("change", () => change(Number(input.value), label));
      return element("label", { class: "tp-size" }, `${label} `, input, " ", shown);
    }

    function lossSlider(x, y) {
      const { rows, denominator } = state.table;
      const text = () => Tally.short(Tally.rational(BigInt(state.table.rows[x][y]), BigInt(denominator)));
      const input = element("input", {
        type: "range", min: 0, max: denominator, step: 1, value: rows[x][y],
        "aria-label": `loss of arm ${x} at tally ${y + 1}`, "aria-valuetext": text(), "data-cell": `${x},${y}`,
      });
      const shown = element("output", {}, text());
      input.addEventListener("input", () => {
        state.table.rows[x][y] = Number(input.value);
        shown.textContent = text();
        input.setAttribute("aria-valuetext", text());
        solve();
      });
      return element("td", {}, input, shown);
    }

    // After a change the controls are new; the one that was used keeps the focus.
    function build(focus) {
      const { rows, denominator } = state.table;
      const choose = element("select", {}, element("option", { value: "" }, "choose ..."));
      for (const [label, table] of Object.entries(PRESETS)) choose.append(element("option", { value: table }, label));
      choose.addEventListener("change", () => {
        if (choose.value) state.table = read(choose.value);
        build("example");
      });
      const units = element("select", {});
      for (const unit of [1, 2, 4, 10, 12, 100, 1000]) units.append(element("option", { value: unit }, `1/${unit}`));
      if (![...units.options].some((one) => one.value === `${denominator}`)) units.append(element("option", { value: denominator }, `1/${denominator}`));
      units.value = denominator;
      units.addEventListener("change", () => refine(Number(units.value)));
      const header = element("tr", {}, element("th", { scope: "col" }, "arm"));
      rows[0].forEach((_, y) => header.append(element("th", { scope: "col" }, `tally ${y + 1}`)));
      const body = element("tbody");
      rows.forEach((row, x) => {
        const key = element("span", { class: "tp-key", style: `background:${HUES[x]}` });
        body.append(element("tr", {}, element("th", { scope: "row" }, key, ` ${x}`), ...row.map((_, y) => lossSlider(x, y))));
      });
      controls.replaceChildren(
        element("p", {}, element("label", {}, "example ", choose), " ", element("label", {}, "losses in steps of ", units)),
        element("p", {}, slider("arms K", 1, MOST_ACTIONS, rows.length, (value) => resize(value, rows[0].length)), " ", slider("memory m", 1, MOST_MEMORY, rows[0].length, (value) => resize(rows.length, value))),
        element("div", { class: "tp-wide" }, element("table", {}, element("caption", {}, "losses h_x(y): arm x, played for the y-th time in the window"), element("thead", {}, header), body)),
      );
      if (focus) choose.focus();
      solve();
    }

    addEventListener("hashchange", () => {
      const asked = read(decodeURIComponent(location.hash.slice(1)));
      if (asked && write(asked) !== write(state.table)) {
        state.table = asked;
        build();
      }
    });
    build();
  }

  return { mount, read, write, HUES };
})();

if (typeof module !== "undefined") module.exports = { Tally, TallyPage };
else {
  const start = () => document.querySelectorAll(".tallyplan-play").forEach(TallyPage.mount);
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
}
