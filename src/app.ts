/** The only file that knows every room, with the folder of the same name behind it. */
export { examine, type Finding } from './app/doctor.ts'
export { type Operator, withOperator } from './app/operator.ts'
export { processes } from './app/processes.ts'
