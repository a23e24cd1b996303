import { parentPort, workerData } from 'node:worker_threads'
import { type Page, readPage } from './open-graph.ts'

/** Runs only as a thread of `page-program.ts`, which gives it one page and takes one answer. */
parentPort?.postMessage(readPage(workerData as Page))
