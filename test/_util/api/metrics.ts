import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a scrape has brought. */
export interface Scrape {
  /** Types of metrics by name. */
  types: Map<string, string>
  samples: { name: string; labels: Record<string, string>; value: number }[]
  /** The sum of the samples of that name that have these labels. */
  sum(name: string, labels?: Record<string, string>): number
}

/** Asks for metrics and reads the text format of Prometheus. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`The metrics answered with ${response.status}.`)
  const lines = (await response.text()).split('\n')
  const types = new Map<string, string>()
  const samples: Scrape['samples'] = []
  for (const line of lines) {
    const [, named, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (named && type) types.set(named, type)
    const [, name, labels = '', value] = /^([a-z][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (!name) continue
    const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label, text]) => [label, text])
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) })
  }
  const sum: Scrape['sum'] = (name, wanted = {}) =>
    samples
      .filter((sample) => sample.name === name)
      .filter(({ labels }) => Object.entries(wanted).every(([label, text]) => labels[label] === text))
      .reduce((total, { value }) => total + value, 0)
  return { types, samples, sum }
}

const ops = (name: string) => readFileSync(join(import.meta.dirname, '../../../ops', name), 'utf8')

/** The queries of the alert rules and of the dashboard, by where they are. */
export function queriesOfOps(): { where: string; query: string }[] {
  const rules = [...ops('alerts.yaml').matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)]
  const { panels } = JSON.parse(ops('grafana-dashboard.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  return [
    ...rules.map(([, alert = '', query = '']) => ({ where: alert, query })),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, query: expr }))),
  ]
}

/** The names of samples in a query, each with the labels that it is selected by. */
export function selectorsOf(query: string): { name: string; labels: Record<string, string> }[] {
  return [...query.matchAll(/\b(almanac_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(([, name = '', labels = '']) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/([a-z_]+)(=~|!=|=)"([^"]*)"/g)].map(([, label, how, text]) => [label, `${how}${text}`]),
    ),
  }))
}

/** The labels that a query groups by. */
export const groupedBy = (query: string): string[] =>
  [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim()))
