export { DocumentController } from './document.controller.js';
export { DocumentService } from './document.service.js';
export { SwaggerUiController } from './swagger-ui.controller.js';
export { SwaggerUiService } from './swagger-ui.service.js';
