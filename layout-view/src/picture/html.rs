//! A picture as one self-contained HTML page: a table navigable by keyboard and screen reader.

use std::fmt::Write as _;

use super::palette::hex;
use super::words::{escaped, second_line};
use super::{Block, Cell, Picture};

impl Picture {
    /// The picture as a page of its own. Arrow keys, Home, End, Page Up and Page Down move through
    /// the cells. The facts about the cell under the pointer or with the focus are written below.
    ///
    /// ```
    /// use layout_core::text::eval;
    /// use layout_view::picture::{Options, Picture};
    /// let picture = Picture::of(&eval("(2,2):(2,1)")?, &Options::default())?;
    /// assert!(picture.to_html().contains("<td class=\"k6\" title=\"(1,0) → 2\" tabindex=\"-1\">2</td>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{title}</title>\n<style>\n{BASE}{}</style>\n</head>\n<body>\n<main>\n\
             <h1><code>{title}</code></h1>\n<p>{}.</p>\n",
            self.colors(),
            escaped(&self.description)
        );
        for (i, block) in self.blocks.iter().enumerate() {
            self.block(block, i == 0, &mut html);
        }
        if self.blocks.len() < self.all_blocks {
            let _ = writeln!(
                html,
                "<p>{} of {} blocks are drawn.</p>",
                self.blocks.len(),
                self.all_blocks
            );
        }
        self.legend(&mut html);
        html.push_str("<output aria-live=\"polite\">&#160;</output>\n</main>\n<script>\n");
        html.push_str(SCRIPT);
        html.push_str("</script>\n</body>\n</html>\n");
        html
    }

    fn block(&self, block: &Block, is_first: bool, html: &mut String) {
        let Block { rows, columns, cells, .. } = block;
        let name = escaped(block.title.as_deref().unwrap_or(&self.title));
        html.push_str("<figure>\n");
        if let Some(title) = &block.title {
            let _ = writeln!(html, "<figcaption><code>{}</code></figcaption>", escaped(title));
        }
        let _ = write!(
            html,
            "<div class=\"scroll\"><table role=\"grid\" aria-label=\"{name}\" aria-rowcount=\"{}\" aria-colcount=\"{}\">\n\
             <thead><tr><td class=\"corner\">{}{}</td>",
            rows.extent + 1,
            columns.extent + 1,
            if rows.name.is_empty() {
                String::new()
            } else {
                format!("{} ↓", escaped(&rows.name))
            },
            if rows.name.is_empty() {
                String::new()
            } else {
                format!("<br/>{} →", escaped(&columns.name))
            },
        );
        for (i, header) in columns.headers.iter().enumerate() {
            let natural = columns.natural.get(i).map(|at| format!(" title=\"{}\"", escaped(at)));
            let natural = natural.unwrap_or_default();
            let _ = write!(html, "<th scope=\"col\"{natural}>{}</th>", escaped(header));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        let width = columns.drawn().max(1);
        for (row, (header, cells)) in rows.headers.iter().zip(cells.chunks(width)).enumerate() {
            let natural = rows.natural.get(row).map(|at| format!(" title=\"{}\"", escaped(at)));
            let _ = write!(
                html,
                "<tr><th scope=\"row\"{}>{}</th>",
                natural.unwrap_or_default(),
                escaped(header)
            );
            for (column, cell) in cells.iter().enumerate() {
                let rules = [(columns.rule_at(column), 'l'), (rows.rule_at(row), 't')];
                let rules = rules.into_iter().filter_map(|(edge, side)| Some((edge?, side)));
                let mut classes: Vec<String> =
                    rules.map(|(edge, side)| format!("{side}{}", edge.weight())).collect();
                classes.extend(cell.color.map(|color| format!("k{color}")));
                if cell.is_padding() {
                    classes.push(if cell.offset.is_some() { "pad" } else { "absent" }.to_owned());
                }
                let class = match classes.is_empty() {
                    true => String::new(),
                    false => format!(" class=\"{}\"", classes.join(" ")),
                };
                let index = if is_first && (row, column) == (0, 0) { "0" } else { "-1" };
                let title = escaped(&self.tooltip(cell));
                let _ = write!(html, "<td{class} title=\"{title}\" tabindex=\"{index}\">");
                if !cell.is_padding() {
                    html.push_str(&escaped(&cell.label));
                    if let Some(second) = second_line(cell) {
                        let _ = write!(html, "<small>{second}</small>");
                    }
                }
                html.push_str("</td>");
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div>\n");
        for (axis, unit) in [(rows, "rows"), (columns, "columns")] {
            if axis.is_cut() {
                let _ =
                    writeln!(html, "<p>{} of {} {unit} are drawn.</p>", axis.drawn(), axis.extent);
            }
        }
        html.push_str("</figure>\n");
    }

    /// The facts about a cell; tile, bank and line only if the colours show them.
    fn tooltip(&self, cell: &Cell) -> String {
        let mut text = self.say(cell);
        let numbers = [("tile", cell.tile), ("bank", cell.bank), ("line", cell.line)];
        for (name, number) in numbers {
            if let Some(number) = number.filter(|_| self.legend.title.starts_with(name)) {
                let _ = write!(text, ", {name} {number}");
            }
        }
        text
    }

    fn legend(&self, html: &mut String) {
        let has_padding = self.has_padding();
        if self.legend.entries.is_empty() && !has_padding {
            return;
        }
        let _ = write!(html, "<p class=\"legend\">{}</p>\n<ul>", escaped(&self.legend.title));
        match self.legend.ends() {
            Some((least, greatest)) => {
                let _ = write!(html, "<li class=\"ramp\">{least}");
                for entry in &self.legend.entries {
                    let _ = write!(html, "<span class=\"k{}\"></span>", entry.color);
                }
                let _ = write!(html, "{greatest}</li>");
            }
            None => {
                for entry in &self.legend.entries {
                    let (color, label) = (entry.color, escaped(&entry.label));
                    let _ = write!(html, "<li><span class=\"k{color}\"></span>{label}</li>");
                }
            }
        }
        if has_padding {
            html.push_str("<li><span class=\"pad\"></span>padding</li>");
        }
        html.push_str("</ul>\n");
    }

    fn colors(&self) -> String {
        let palette = self.legend.scale.palette();
        let fills = |colors: &[[u8; 3]]| {
            colors.iter().enumerate().fold(String::new(), |mut css, (i, &color)| {
                let _ = write!(css, ".k{i}{{background-color:{}}}", hex(color));
                css
            })
        };
        let (light, dark) = (fills(palette.light), fills(palette.dark));
        format!("{light}\n@media (prefers-color-scheme:dark){{{DARK}{dark}}}\n")
    }
}

const BASE: &str = "\
:root{--paper:#fff;--ink:#1f2328;--quiet:#57606a;--line:#d8dee4;--rule:#24292f;--focus:#0550ae}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,sans-serif}
main{max-width:100%;padding:1.5rem}
h1{font-size:1.05rem;margin:0 0 .25rem;overflow-wrap:anywhere}
code,td,th{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
p{margin:.25rem 0;color:var(--quiet)}
figure{margin:1rem 0}figcaption{margin:0 0 .35rem;font-weight:600}
.scroll{overflow:auto;max-height:85vh;max-width:max-content}
table{border-collapse:separate;border-spacing:0;font-size:13px}
td,th{min-width:2.3em;height:2.15em;padding:0 .45em;text-align:center;font-variant-numeric:tabular-nums}
th,.corner{color:var(--quiet);font-weight:400;font-size:11.5px;background:var(--paper)}
thead th,thead td{position:sticky;top:0;z-index:1}tbody th{position:sticky;left:0;text-align:right}
.corner{left:0;z-index:2;line-height:1.2;text-align:right;white-space:nowrap;font-family:inherit}
tbody td{color:#111;border:0 solid var(--rule);box-shadow:inset 0 0 0 .5px var(--paper);-webkit-print-color-adjust:exact;print-color-adjust:exact}
tbody td:not([class*=k]){color:var(--ink);box-shadow:inset 0 0 0 .5px var(--line)}
tbody tr:first-child td{border-top-width:1.5px}tbody tr:last-child td{border-bottom-width:1.5px}
tbody td:last-child{border-right-width:1.5px}tbody th+td{border-left-width:1.5px}
.l1{border-left:1px dashed var(--rule)!important}.l2{border-left:2px solid var(--rule)!important}.l3{border-left:4px solid var(--rule)!important}
.t1{border-top:1px dashed var(--rule)!important}.t2{border-top:2px solid var(--rule)!important}.t3{border-top:4px solid var(--rule)!important}
.pad{background-image:repeating-linear-gradient(135deg,transparent 0 4px,rgb(110 119 129/.75) 4px 5.5px)}
.absent{visibility:hidden}
td:focus{outline:3px solid var(--focus);outline-offset:-3px}td:hover{outline:2px solid var(--ink);outline-offset:-2px}
small{display:block;font-size:10.5px;line-height:1;padding-bottom:.35em;opacity:.85}
ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.25rem 0;padding:0;font-size:13px}
li span{display:inline-block;width:1em;height:1em;margin-right:.4em;vertical-align:-.12em;border:1px solid rgb(110 119 129/.6);print-color-adjust:exact;-webkit-print-color-adjust:exact}
.ramp{display:flex;gap:0;align-items:center}.ramp span{width:1.4em;margin:0;border:0}.ramp span:first-of-type{margin-left:.4em}.ramp span:last-of-type{margin-right:.4em}
.legend{margin-top:1rem}
output{display:block;position:sticky;bottom:0;margin-top:.75rem;padding:.4rem 0;background:var(--paper);font-family:ui-monospace,monospace;font-size:13px}
";

const DARK: &str = "\
:root{--paper:#0d1117;--ink:#e6edf3;--quiet:#9da7b3;--line:#30363d;--rule:#e6edf3;--focus:#79c0ff}tbody td{color:#fff}";

const SCRIPT: &str = "\
const output = document.querySelector('output');
const grids = [...document.querySelectorAll('table')].map(table => [...table.tBodies[0].rows].map(row => [...row.querySelectorAll('td')]));
const say = cell => { if (cell) output.textContent = cell.title; };
const place = cell => {
  for (const [g, rows] of grids.entries())
    for (const [r, row] of rows.entries()) { const c = row.indexOf(cell); if (c >= 0) return [g, r, c]; }
};
let current = document.querySelector('td[tabindex=\"0\"]');
const focus = cell => {
  if (!cell) return;
  current.tabIndex = -1;
  cell.tabIndex = 0;
  current = cell;
  cell.focus();
};
document.addEventListener('mouseover', event => say(event.target.closest('tbody td')));
document.addEventListener('focusin', event => say(event.target.closest('tbody td')));
document.addEventListener('click', event => focus(event.target.closest('tbody td')));
document.addEventListener('keydown', event => {
  const cell = event.target.closest('tbody td');
  if (!cell || event.altKey || event.metaKey) return;
  let [g, r, c] = place(cell);
  const rows = grids[g], last = rows.length - 1, end = rows[0].length - 1;
  const moves = {
    ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1], ArrowUp: [r - 1, c], ArrowDown: [r + 1, c],
    Home: [event.ctrlKey ? 0 : r, 0], End: [event.ctrlKey ? last : r, end],
    PageUp: [Math.max(0, r - 8), c], PageDown: [Math.min(last, r + 8), c],
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  if (move[0] < 0 && g > 0) focus(grids[g - 1].at(-1)[c]);
  else if (move[0] > last && g + 1 < grids.length) focus(grids[g + 1][0][c]);
  else focus(rows[move[0]]?.[move[1]]);
});
";
