import { App } from 'aws-cdk-lib'; import { Code } from 'aws-cdk-lib/aws-lambda'; import { readFileSync } from 'node:fs'; import { FLAGS } from 'aws-cdk-lib/cx-api';
const cdk=JSON.parse(readFileSync('./cdk.json')); const { RunService } = await import('./lib/run-service.ts');
const src={sourceOf:(n)=>({code:Code.fromInline('0'),handler:'index.handler'})};
const turned=Object.fromEntries(Object.entries(FLAGS).filter(([,f])=>f.introducedIn.v2).map(([n])=>[n, typeof cdk.context[n]==='boolean'? !cdk.context[n] : true]));
delete turned['@aws-cdk/core:target-partitions'];delete turned['@aws-cdk/core:defaultCrossStackReferences'];
for (const [out,context] of [['/tmp/pt/new',cdk.context],['/tmp/pt/turned',turned],['/tmp/pt/none',{}]]) { const app=new App({outdir:out,context});
new RunService(app,'RunService',{model:'offline',description:'Asynchronous run service',apiGatewayLogRole:true},src); try { app.synth(); } catch(e) { console.log(out, e.message.slice(0,300)); } }
