export { type Operator, withOperator } from './app/operator.ts'
export { StartError } from './app/start-error.ts'
