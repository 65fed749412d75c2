export { ColumnForm } from './column-form.js';
export { LinksForm } from './links-form.js';
export { DeprecationForm, RemovalForm } from './marks-form.js';
export { OwnersForm } from './owners-form.js';
export { PropertiesForm } from './properties-form.js';
