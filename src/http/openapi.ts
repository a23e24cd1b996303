import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

/** What stands around the routes in the description of the interface. */
export function openApiFrame(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Almanac',
        version: '1',
        description:
          'One calendar for everything a team says in public: post sets, their media and what became of them.',
        license: { name: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      tags: [
        { name: 'Post sets', description: 'A slot in time with one post per network.' },
        { name: 'Social sets', description: 'Brands with their connected accounts.' },
        { name: 'Media', description: 'Images and videos, imported from public addresses.' },
        { name: 'Service', description: 'About this server.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer alm_…`.' },
        },
      },
    },
  }
}
