// Whether a commit is steady: runs of all checks, each in a fresh clone, one line for each at the end of a file:
//
//   CI=true node scripts/repeat-runs.mjs 10 runs.txt             .ci/run of the commit that is checked out
//   node scripts/repeat-runs.mjs 3 runs.txt v1.2.0 -- npm test   another command of another commit
//
// A line has commit, date, minutes by the clock and of the processor, and what passed and failed; what failed or needed a
// second try is named below it. Where one was not clean, the script exits with 1. It can be run as often as there is time.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { command, projectDir, Stop } from './platform.mjs'
import { processorMinutes } from './run-times.mjs'

await command(async () => {
  const given = process.argv.slice(2)
  const at = given.indexOf('--')
  const [runs, file, commit = 'HEAD'] = at < 0 ? given : given.slice(0, at)
  const program = at < 0 ? ['.ci/run'] : given.slice(at + 1)
  if (!(Number(runs) > 0) || !file || program.length === 0)
    throw new Stop('Usage: repeat-runs.mjs RUNS FILE [COMMIT] [-- COMMAND…]')
  const hash = git('-C', projectDir, 'rev-parse', '--verify', `${commit}^{commit}`)
  let clean = 0
  for (let made = 0; made < Number(runs); made++) {
    const run = await runOnce(hash, program)
    if (run.interrupted) throw new Stop(`Interrupted: ${clean} of ${made} whole runs were clean.`)
    appendFileSync(resolve(file), `${[run.summary, ...run.named.map((line) => `  ${line}`)].join('\n')}\n`)
    if (run.clean) clean++
  }
  console.log(`${clean} of ${runs} runs were clean.`)
  return clean === Number(runs) ? 0 : 1
})

/** Tests compare with what lies beside the clone, where it is there. */
function cloneOf(hash, folder) {
  const clone = join(folder, 'clone')
  git('clone', '--quiet', '--no-checkout', projectDir, clone)
  git('-C', clone, 'checkout', '--quiet', '--detach', hash)
  const shared = join(projectDir, '../shared')
  if (existsSync(shared)) symlinkSync(shared, join(folder, 'shared'))
  return clone
}

async function runOnce(hash, program) {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-repeat-runs-'))
  try {
    const clone = cloneOf(hash, folder)
    const begun = Date.now()
    const processorBefore = processorMinutes()
    const { code, lines, interrupted } = await outcomeOf(program, clone)
    const processor = processorMinutes()
    const minutes = [`${((Date.now() - begun) / 60_000).toFixed(1)} min`]
    if (processor) {
      const [user, system] = ['user', 'system'].map((kind) => (processor[kind] - processorBefore[kind]).toFixed(1))
      minutes.push(`${user} min user, ${system} min system`)
    }
    const last =
      lines.at(-1)?.match(/^\d+ passed, \d+ failed(, \d+ skipped)?/)?.[0] ?? `no totals, it ended with ${code}`
    const named = lines.filter((line) => /^(FAILED|SECOND TRY) /.test(line))
    return {
      summary: [hash.slice(0, 12), new Date(begun).toISOString(), ...minutes, last].join('  '),
      // At its end .ci/run names all of them once more.
      named: [...new Set(named)],
      clean: code === 0 && named.length === 0,
      interrupted,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Shows what a program prints and keeps its lines. A signal ends the program, so that its clone can be removed. */
async function outcomeOf([file, ...args], cwd) {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let interrupted = false
  const end = (signal) => {
    interrupted = true
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more) => {
    text += more
    process.stdout.write(more)
  })
  try {
    const code = await new Promise((done, fail) => child.once('error', fail).once('close', done))
    return { code, lines: text.trimEnd().split('\n'), interrupted }
  } catch (error) {
    throw new Stop(`${file} cannot be run: ${error.message}`)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, end)
  }
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Stop(stderr.trim() || 'git cannot be run.')
  return stdout.trim()
}
