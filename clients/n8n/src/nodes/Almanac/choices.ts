import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow'

/** A page of a list, as choices name it. */
interface Page {
  data: { id?: string; name?: string; accountType?: string }[]
}

async function read(context: ILoadOptionsFunctions, url: string): Promise<Page['data']> {
  const { url: baseURL } = await context.getCredentials('almanacApi')
  const options = { baseURL: String(baseURL), url, qs: { size: 100 }, json: true }
  const page: Page = await context.helpers.httpRequestWithAuthentication.call(context, 'almanacApi', options)
  return page.data
}

/** The brands that the key sees. */
export async function brandsOf(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const brands = await read(this, '/v1/social-sets')
  return brands.map(({ id = '', name = '' }) => ({ name, value: id }))
}

/** The account types that posts can be of. */
export async function accountTypesOf(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const networks = await read(this, '/v1/networks')
  return networks.map(({ accountType = '' }) => ({ name: accountType, value: accountType }))
}
