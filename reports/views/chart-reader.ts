/** The part of a page's script that reads a chart under the pointer or the arrow keys: its values come from the table of the figure. */

/** Makes the charts below `root` tell their values. */
export function readCharts(root: ParentNode): void {
  for (const plot of root.querySelectorAll<HTMLElement>('.plot')) readChart(plot);
}

function readChart(plot: HTMLElement): void {
  const table = plot.closest('figure')?.querySelector('.data table');
  const svg = plot.querySelector('svg');
  if (!table || svg === null) return;
  const places = (plot.dataset['at'] ?? '').split(' ').map(Number);
  const [head = [], ...rows] = [...table.querySelectorAll('tr')].map((row) =>
    [...row.cells].map((cell) => cell.textContent),
  );
  const cursor = document.createElement('i');
  const readout = document.createElement('p');
  cursor.className = 'cursor';
  readout.className = 'readout';
  readout.setAttribute('aria-live', 'polite');
  plot.append(cursor);
  plot.after(readout);
  plot.tabIndex = 0;
  plot.setAttribute('role', 'group');
  plot.setAttribute('aria-label', 'Values: arrow keys move along the time');
  let at = -1;
  const show = (next: number): void => {
    const row = rows[next];
    if (row === undefined || next === at) return;
    at = next;
    cursor.style.left = `${(places[at] ?? 0) / 10}%`;
    readout.textContent = `${row[0]}: ${row
      .slice(1)
      .map((value, column) => `${head[column + 1]} ${value}`)
      .join(', ')}`;
  };
  plot.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = svg.getBoundingClientRect();
    const x = (1000 * (clientX - left)) / width;
    const nearest = places.reduce(
      (best, place, row) => (Math.abs(place - x) < Math.abs((places[best] ?? 0) - x) ? row : best),
      0,
    );
    show(nearest);
  });
  plot.addEventListener('keydown', (event) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(Math.min(rows.length - 1, Math.max(0, next)));
  });
}
