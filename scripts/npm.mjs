import { spawn } from 'node:child_process'
import { basename, delimiter, dirname } from 'node:path'
import { projectDir, Stop } from './platform.mjs'

/**
 * Settings that decide what gets installed are given here, so that none from a user's .npmrc or from the environment
 * (NODE_ENV=production, omit=optional, engine-strict) changes it. Scripts of packages are never run.
 */
const settings = [
  '--ignore-scripts',
  '--include=prod',
  '--include=optional',
  '--include=peer',
  '--install-strategy=hoisted',
  '--engine-strict=false',
  '--package-lock=true',
  '--global=false',
  '--dry-run=false',
  '--prefer-offline',
  '--audit=false',
  '--fund=false',
  '--loglevel=error',
]

/**
 * Runs npm in the project.
 *
 * @param args npm's command and its options
 * @param options.node the Node to run npm with; without it npm's own
 * @param options.onStart gets npm's process id
 */
export async function runNpm(args, { node, onStart }) {
  const { file, before, env } = findNpm(node)
  const npm = spawn(file, [...before, ...args, ...settings], {
    cwd: projectDir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (npm.pid) onStart(npm.pid)
  let output = ''
  const keep = (chunk) => {
    output = (output + chunk).slice(-20_000)
  }
  npm.stdout.on('data', keep)
  npm.stderr.on('data', keep)
  const { signal, code } = await ended(npm)
  if (signal) throw new Stop(`The installation was ended by ${signal}.`)
  if (code !== 0) throw new Stop(explain(code, output))
}

/** npm dies with this process when that is asked to end, so that it does not install on unseen. */
function ended(npm) {
  return new Promise((resolve, reject) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    let asked
    const pass = (signal) => {
      asked = signal
      npm.kill(signal)
    }
    for (const signal of signals) process.on(signal, pass)
    const forget = () => {
      for (const signal of signals) process.off(signal, pass)
    }
    npm.once('error', (error) => {
      forget()
      if (error.code !== 'ENOENT') return reject(error)
      reject(new Stop('npm is not there, and Almanac needs it to install its packages. It comes with Node.'))
    })
    npm.once('close', (code, signal) => {
      forget()
      resolve({ code, signal: asked ?? signal })
    })
  })
}

/** The npm that started this command, with the Node that it runs on, else the one on the PATH. */
function findNpm(node) {
  const { npm_execpath: script = '', npm_node_execpath: own } = process.env
  const env = { ...process.env }
  if (node) env.PATH = dirname(node) + delimiter + (env.PATH ?? '')
  if (basename(script) === 'npm-cli.js') return { file: node ?? own ?? process.execPath, before: [script], env }
  return { file: 'npm', before: [], env }
}

function explain(code, output) {
  const lines = output.trim().split('\n').filter(Boolean)
  const reported = lines.slice(-12).map((line) => `  ${line}`)
  const hint = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(output)
    ? ' The first start needs a network.'
    : ''
  return [`npm could not install Almanac's packages (exit code ${code}).${hint} It said:`, ...reported].join('\n')
}
