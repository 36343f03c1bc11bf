export { makeDemo } from './make-demo.ts';
export { makeDemoMessages } from './make-demo-messages.ts';
