/** A table as it is read. A click on a cell opens its source there. */
import { EditorView, WidgetType } from "@codemirror/view";
import { alignments, rowsOf, type Row } from "./cells";
import { inline } from "./inline";

const ROW_PX = 37;

export class TableWidget extends WidgetType {
  constructor(readonly source: string) {
    super();
  }

  override eq(other: TableWidget): boolean {
    return other.source === this.source;
  }

  override get estimatedHeight(): number {
    return (this.source.split("\n").length - 1) * ROW_PX;
  }

  toDOM(view: EditorView): HTMLElement {
    const rows = rowsOf(this.source);
    const sides = alignments(rows);
    const table = document.createElement("table");
    const head = table.createTHead();
    const body = table.createTBody();
    const columns = rows[0]?.cells.length ?? 0;
    rows.forEach((row, index) => {
      if (index !== 1) addRow(index === 0 ? head : body, row, { columns, sides });
    });
    const place = document.createElement("div");
    place.className = "cm-table";
    place.append(table);
    place.addEventListener("mousedown", (event) => open(view, place, event));
    return place;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function addRow(
  section: HTMLTableSectionElement,
  row: Row,
  { columns, sides }: { columns: number; sides: string[] },
): void {
  const made = section.insertRow();
  for (let index = 0; index < columns; index++) {
    const cell = document.createElement(section.tagName === "THEAD" ? "th" : "td");
    const { text = "", from = row.to } = row.cells[index] ?? {};
    cell.append(inline(text));
    cell.dataset["at"] = String(from);
    cell.className = `cm-cell-${sides[index] ?? "start"}`;
    made.append(cell);
  }
}

/** A reader, and one who follows a link, opens nothing. */
function open(view: EditorView, place: HTMLElement, event: MouseEvent): void {
  const cell = (event.target as Element).closest<HTMLElement>("[data-at]");
  if (view.state.readOnly || event.ctrlKey || event.metaKey || !cell) return;
  event.preventDefault();
  const anchor = view.posAtDOM(place) + Number(cell.dataset["at"]);
  view.dispatch({ selection: { anchor: Math.min(anchor, view.state.doc.length) } });
  view.focus();
}
