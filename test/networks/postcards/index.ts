import type { Network } from '../../../src/networks/network.ts'
import { connect } from './connect.ts'
import { manifest } from './manifest.ts'
import { connector } from './publish.ts'
import { checkPost, countCaption } from './rules.ts'
import { simulate } from './simulator.ts'

export { errors } from './outcomes.ts'

export const network: Network = { manifest, checkPost, countCaption, connector, connect, simulate }
