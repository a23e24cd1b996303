// What a run of tests asserts of the API, as a list that can be compared with that of another run:
//
//   ALMANAC_ASSERTED=/tmp/run npm test
//   node scripts/asserted.mjs list /tmp/run > after.txt     several folders count as one run
//   node scripts/asserted.mjs compare before.txt after.txt  exits with 1 and names what the second list lacks
//
// A line is rule, route, status, problem code and a test, with tabs between. Where the rule is `-`, that answer was given to
// some test; where there is one, to a test that proves it. A rule whose tests ask nothing over HTTP has a line of its own.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rulesIn } from '../test/conformance/conformance.ts'
import { command, Stop } from './platform.mjs'

/** What these send differs from run to run, and so does what they are answered. */
const RANDOM = ['test/api/fuzz.error.test.ts', 'test/api/four-eyes-stories.test.ts']
const NONE = '-'

await command(async () => {
  const [what, ...files] = process.argv.slice(2)
  if (what === 'list' && files.length > 0) return printList(files)
  if (what === 'compare' && files.length === 2) return compare(...files.map(readList))
  throw new Stop('Usage: asserted.mjs list FOLDER…, or asserted.mjs compare BEFORE AFTER')
})

function printList(folders) {
  const read = (kind) => folders.flatMap((folder) => recorded(folder, kind))
  /** By rule and answer, the first of the tests. */
  const lines = new Map()
  const add = (test, ...fields) => {
    const line = fields.join('\t')
    const known = lines.get(line)
    if (known === undefined || test < known) lines.set(line, test)
  }
  const passed = new Map(
    read('tests').map(([file, titles]) => [nameOf(file, titles), new Set(titles.flatMap(rulesIn))]),
  )
  const silent = new Map(passed)
  for (const [route, status, code, file, titles] of read('answers')) {
    if (RANDOM.includes(file)) continue
    const test = file === null ? 'a process that a test started' : nameOf(file, titles)
    for (const rule of [NONE, ...(passed.get(test) ?? [])]) add(test, rule, route, status, code ?? NONE)
    silent.delete(test)
  }
  for (const [test, rules] of silent) for (const rule of rules) add(test, rule, NONE, NONE, NONE)
  for (const [line, test] of [...lines].toSorted()) console.log(`${line}\t${test}`)
  return 0
}

function compare(before, after) {
  const lost = (of) => {
    const kept = new Set(after.map(of))
    return [
      ...new Map(before.filter((line) => of(line) !== null && !kept.has(of(line))).map((line) => [of(line), line])),
    ]
  }
  const answers = lost(({ rule, answer }) => (rule === NONE ? answer : null))
  const rules = lost(({ rule }) => (rule === NONE ? null : rule))
  const moved = lost(({ rule, answer }) => (rule === NONE ? null : `${rule}\t${answer}`))
  for (const [answer, { test }] of answers) console.log(`NO TEST GETS ${answer}\n  before: ${test}`)
  for (const [rule, { test }] of rules) console.log(`NO TEST PROVES ${rule}\n  before: ${test}`)
  console.log(`${answers.length} answers and ${rules.length} rules are lost.`)
  console.log(`${moved.length} times a rule's tests get an answer no more that they got before:`)
  for (const [line, { test }] of moved) console.log(`  ${line}\n    before: ${test}`)
  return answers.length + rules.length > 0 ? 1 : 0
}

function recorded(folder, kind) {
  const files = readdirSync(folder).filter((name) => name.startsWith(`${kind}-`))
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

function readList(file) {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  if (lines.length === 0) throw new Stop(`${file} lists nothing.`)
  return lines.map((line) => {
    const [rule, route, status, code, test] = line.split('\t')
    return { rule, answer: `${route}\t${status}\t${code}`, test }
  })
}

function nameOf(file, titles) {
  return [file, ...titles].join(' > ').replaceAll(/\s/g, ' ')
}
