import { spawn } from 'node:child_process'
import { constants as access, accessSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { Stop } from './platform.mjs'

/** npm passes on to its script what the terminal has sent there too. The same signal within this time is the same wish. */
const SAME_WISH_MS = 1_000

/**
 * Ends this process by becoming the program, with the same number, terminal and signals: nothing waits beside it. Where this Node
 * cannot, it is run.
 *
 * @returns where it is run, its exit code
 */
export function become(file, args) {
  if (!process.execve) return run(file, args)
  // A program that cannot be run would end this process without a word.
  accessSync(file, access.X_OK)
  process.execve(file, [file, ...args], process.env)
}

/**
 * Runs a program in this one's place: same terminal, same signals, same exit code.
 *
 * Ctrl-C goes from the terminal to every process of the foreground, the program included; it is not sent to it a second
 * time. A signal that was meant for this process alone is passed on.
 *
 * @returns the exit code; 128 and the signal's number when a signal ended it
 */
export function run(file, args, options = {}) {
  const program = spawn(file, args, { stdio: 'inherit', ...options })
  const passedAt = {}
  const pass = (signal) => {
    const now = performance.now()
    const repeated = now - (passedAt[signal] ?? -Infinity) < SAME_WISH_MS
    if (repeated || (signal === 'SIGINT' && isInForeground())) return
    passedAt[signal] = now
    program.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, pass)
  return new Promise((resolve, reject) => {
    program.once('error', (error) => reject(new Stop(`${file} cannot be run: ${error.message}`)))
    program.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  }).finally(() => {
    for (const signal of signals) process.off(signal, pass)
  })
}

/** Whether what is typed in a terminal reaches this process and those that it started. */
function isInForeground() {
  try {
    // proc(5): after the name come state, ppid, pgrp, session, tty_nr, tpgid.
    const [, , group, , terminal, foreground] = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
    return terminal !== '0' && group === foreground
  } catch {
    return Boolean(process.stdin.isTTY || process.stdout.isTTY)
  }
}
