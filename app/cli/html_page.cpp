#include "app/cli/html_page.h"

#include <fmt/format.h>

#include "core/analysis/svg.h"

namespace hloscope::cli {

namespace {

// The colours are those of the desktop program, by OpClass, TimePart and TimeSource.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark;
  --ink: #1d2430; --muted: #566171; --grid: #e1e5ea; --paper: #ffffff; --page: #f2f4f7;
  --accent: #1f66d1; --head: #edf0f4;
  --class0: #b2330a; --class1: #15735c; --class2: #96429a; --class3: #3a98e8; --class4: #ae9010;
  --class5: #211d6c; --class6: #8f969f;
  --part0: #b2330a; --part1: #15735c; --part2: #3a98e8; --part3: #6f63a8; --part4: #8f969f;
  --part5: #b9c1cc; --part6: #211d6c;
  --source0: #1e2530; --source1: #0e9384; --source2: #c77700; --source3: #2b6cd4;
  --source4: #a8326b; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e6e9ee; --muted: #a2acb9; --grid: #353a43; --paper: #1b1e23; --page: #121418;
  --accent: #5c9dff; --head: #2b2f36;
  --class0: #ff6a3d; --class1: #12a772; --class2: #ca72a9; --class3: #52ccf9; --class4: #e7c874;
  --class5: #8080ff; --class6: #bcc0c2;
  --part0: #ff6a3d; --part1: #12a772; --part2: #52ccf9; --part3: #a89be0; --part4: #bcc0c2;
  --part5: #5b626d; --part6: #8080ff;
  --source0: #f2f4f7; --source1: #1fb39d; --source2: #f0a63a; --source3: #5c9dff;
  --source4: #d6447f; } }
body { font: 14px/1.45 system-ui, sans-serif; max-width: 1480px; margin: 24px auto;
  padding: 0 20px; color: var(--ink); background: var(--page); }
h1 { font-size: 22px; } h2 { font-size: 18px; margin-top: 36px; } h3 { font-size: 15px; }
a { color: var(--accent); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; background: var(--paper); }
caption { text-align: left; color: var(--muted); padding: 4px 0; }
th, td { padding: 3px 8px; border-bottom: 1px solid var(--grid); text-align: left;
  white-space: nowrap; }
.kernels table { font-size: 13px; } .kernels th, .kernels td { padding: 3px 6px; }
.kernels th { white-space: normal; vertical-align: bottom; }
.kernels td { max-width: 170px; overflow: hidden; text-overflow: ellipsis; }
.kernels tr > :first-child { position: sticky; left: 0; background: var(--paper); }
.kernels td:first-child { max-width: 260px; }
.kernels thead tr > :first-child { z-index: 1; background: var(--head); }
details table td:last-child { white-space: normal; min-width: 260px; }
th { background: var(--head); } td.n, th.n { text-align: right; }
thead th { position: sticky; top: 0; }
th button { all: unset; cursor: pointer; } th button:hover { text-decoration: underline; }
button:focus-visible, th button:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 1px; }
.kernels .scroll { max-height: 620px; }
.scroll { overflow: auto; border: 1px solid var(--grid); }
/* Bars of their own are always shown: those of some systems only while one scrolls. */
.scroll::-webkit-scrollbar { width: 12px; height: 12px; background: var(--head); }
.scroll::-webkit-scrollbar-thumb { background: var(--muted); border-radius: 6px;
  border: 2px solid var(--head); }
@supports not selector(::-webkit-scrollbar) {
  .scroll { scrollbar-color: var(--muted) var(--head); } }
.controls { margin: 8px 0; } .controls button { margin-right: 4px; }
.note, .count { color: var(--muted); } .bad { color: #b3261e; }
@media (prefers-color-scheme: dark) { .bad { color: #ff7b72; } }
.charts { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 12px; }
.charts figure { flex: 1 1 100%; margin-right: 0; } .half figure { flex-basis: 540px; }
.charts svg { display: block; width: 100%; height: auto; }
figure { display: inline-block; vertical-align: top; margin: 10px 12px 10px 0; padding: 10px;
  max-width: 100%; box-sizing: border-box; overflow-x: auto; background: var(--paper);
  border: 1px solid var(--grid); }
figcaption { font-weight: 600; margin-bottom: 6px; max-width: 1100px; }
figcaption span { font-weight: 400; color: var(--muted); }
img { max-width: 100%; border: 1px solid var(--grid); margin: 6px 0; }
)";

// The filter is that of the program, but for opcodes and shapes, which the page does not hold.
constexpr std::string_view kScript = R"JS(
'use strict';
for (const box of document.querySelectorAll('.kernels')) {
  const data = JSON.parse(box.querySelector('.data').textContent);
  const columns = data.columns.filter(c => c.shown);
  const byKey = new Map(data.columns.map(c => [c.key, c]));
  byKey.set('err', byKey.get('simulated_err'));
  const at = (column, row) => column.values[column.rows[row]];
  const count = columns[0].rows.length;
  const body = box.querySelector('tbody');
  const input = box.querySelector('input');
  const output = box.querySelector('output');
  let rows = [], order = byKey.get('share') || columns[0], down = true, first = 0;

  const prefixed = value => {
    const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
    let i = 0;
    for (; Math.abs(value) >= 999.5 && i < 5; ++i) value /= 1000;
    if (i === 0) return value.toFixed(0);
    return value.toFixed(Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0) + ' ' + prefixes[i];
  };
  const shown = {
    text: v => v === '' ? '–' : v,
    time: v => (v / 1000).toFixed(v / 1000 < 10 ? 2 : 1),
    error: v => (v < 0 ? '' : '+') + (v * 100).toFixed(1),
    change: v => (v < 0 ? '' : '+') + (v * 100).toFixed(1),
    percent: v => (v * 100).toFixed(1),
    count: v => String(Number(v.toPrecision(6))),
    intensity: v => v.toFixed(1),
    flag: v => v ? 'yes' : 'no',
    prefix: prefixed };
  const cell = (column, row) => {
    const value = at(column, row);
    return value === null ? '–' : shown[column.kind](value);
  };

  const number = text => {
    const parts = /^([-+]?[\d.]+(?:e[-+]?\d+)?)([kMGT]?)(?:%|us|µs)?$/.exec(text);
    const value = parts ? Number(parts[1]) : NaN;
    if (Number.isNaN(value)) throw 'no number: ' + text;
    return value * 1000 ** ' kMGT'.indexOf(parts[2] || ' ');
  };
  const compared = { '>': (a, b) => a > b, '<': (a, b) => a < b, '>=': (a, b) => a >= b,
    '<=': (a, b) => a <= b, '=': (a, b) => a === b };
  const term = text => {
    const comparison = /^([a-z_]+)(>=|<=|>|<|=)(.*)$/.exec(text);
    if (comparison) {
      const column = byKey.get(comparison[1]);
      if (!column || column.kind === 'text') throw 'no number column: ' + comparison[1];
      const limit = number(comparison[3]) * column.unit;
      const holds = compared[comparison[2]];
      const size = column.kind === 'error' ? Math.abs : v => v;
      return row => at(column, row) !== null && holds(size(Number(at(column, row))), limit);
    }
    const keyed = /^([a-z_]+):(.*)$/.exec(text);
    const column = keyed && byKey.get(keyed[1]);
    if (keyed && (!column || column.kind !== 'text')) throw 'no text column: ' + keyed[1];
    const places = column ? [column] : [byKey.get('name'), byKey.get('label')];
    const needle = (keyed ? keyed[2] : text).toLowerCase();
    return row => places.some(place => at(place, row).toLowerCase().includes(needle));
  };
  const query = text => {
    const terms = [];
    for (const found of text.matchAll(/(-?)((?:"[^"]*"?|[^\s"])+)/g)) {
      const holds = term(found[2].replaceAll('"', ''));
      terms.push(found[1] ? row => !holds(row) : holds);
    }
    return row => terms.every(holds => holds(row));
  };

  const natural = new Intl.Collator('en', { numeric: true }).compare;
  const sorted = () => {
    const isText = order.kind === 'text';
    const sign = down ? -1 : 1;
    // A rank for each distinct value: rows then compare whole numbers.
    const ranks = new Map([...order.values.keys()]
      .filter(i => order.values[i] !== null && order.values[i] !== '')
      .sort((a, b) => isText ? natural(order.values[a], order.values[b])
                             : order.values[a] - order.values[b])
      .map((value, rank) => [value, rank]));
    const rank = row => ranks.get(order.rows[row]);
    rows.sort((a, b) => {
      const left = rank(a), right = rank(b);
      if (left === undefined || right === undefined) {
        return (left === undefined) - (right === undefined) || a - b;
      }
      return sign * (left - right) || a - b;
    });
  };
  const draw = () => {
    first = Math.max(0, Math.min(first, Math.floor((rows.length - 1) / data.per_page) * data.per_page));
    const last = Math.min(rows.length, first + data.per_page);
    body.replaceChildren(...rows.slice(first, last).map(row => {
      const line = document.createElement('tr');
      for (const column of columns) {
        const place = line.insertCell();
        place.textContent = cell(column, row);
        if (column.kind !== 'text') place.className = 'n';
        else place.title = at(column, row);
      }
      return line;
    }));
    output.className = 'count';
    output.textContent = rows.length === 0 ? `none of ${count} kernels; shorten the filter`
      : `${first + 1} to ${last} of ${rows.length} kernels` + (rows.length < count ? ` (of ${count})` : '');
    box.querySelector('.first').disabled = box.querySelector('.back').disabled = first === 0;
    box.querySelector('.next').disabled = box.querySelector('.last').disabled = last >= rows.length;
  };
  const filter = () => {
    try {
      const holds = query(input.value);
      rows = [];
      for (let row = 0; row < count; ++row) if (holds(row)) rows.push(row);
    } catch (problem) {
      output.className = 'bad';
      output.textContent = String(problem);
      return;
    }
    first = 0;
    sorted();
    draw();
  };

  const heads = [...box.querySelectorAll('thead th')];
  const mark = () => heads.forEach((head, i) => {
    const chosen = columns[i] === order;
    head.setAttribute('aria-sort', !chosen ? 'none' : down ? 'descending' : 'ascending');
    head.firstChild.textContent = columns[i].title + (!chosen ? '' : down ? ' ▼' : ' ▲');
  });
  heads.forEach((head, i) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.key = columns[i].key;
    head.replaceChildren(button);
    if (columns[i].kind !== 'text') head.className = 'n';
    button.addEventListener('click', () => {
      down = order === columns[i] ? !down : columns[i].kind !== 'text';
      order = columns[i];
      first = 0;
      sorted();
      mark();
      draw();
    });
  });
  const page = (name, to) => box.querySelector(name).addEventListener('click', () => {
    first = to();
    draw();
  });
  page('.first', () => 0);
  page('.back', () => first - data.per_page);
  page('.next', () => first + data.per_page);
  page('.last', () => rows.length);
  input.addEventListener('input', filter);
  const scroll = box.querySelector('.scroll');
  const caption = box.querySelector('caption');
  const captionText = caption.textContent;
  const tell = () => caption.textContent = captionText
    + (scroll.scrollWidth > scroll.clientWidth ? '; more columns to the right →' : '');
  addEventListener('resize', tell);
  box.querySelector('.controls').hidden = false;
  mark();
  filter();
  tell();
}
)JS";

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\n"
      "<style>{}</style></head><body>\n{}<script>{}</script>\n</body></html>\n",
      analysis::svg::escaped(title), kStyle, body, kScript);
}

}  // namespace hloscope::cli
