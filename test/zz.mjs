import { fork } from 'node:child_process'; import { once } from 'node:events'; import { mkdtempSync, rmSync } from 'node:fs';
let bad={};
const kids=Array.from({length:6},()=>fork(new URL('./support/race-child.ts',import.meta.url).pathname,{execArgv:[]}));
await Promise.all(kids.map(k=>once(k,'spawn')));
await new Promise(r=>setTimeout(r,1500));
for(let r=0;r<60;r++){ const d=mkdtempSync('/tmp/zz-'); const a=kids.map(async k=>{const [m]=await once(k,'message'); if(m.error){bad[m.error]=(bad[m.error]??0)+1}}); kids.forEach(k=>k.send({job:'open',items:['sqlite:'+d+'/x/y.db']})); await Promise.all(a); rmSync(d,{recursive:true}); }
console.log('setup races', bad); kids.forEach(k=>k.disconnect());
