export { createQueue, type Handler, type Payload, type Queue, type QueueLog, type QueueName } from './queue.ts'
