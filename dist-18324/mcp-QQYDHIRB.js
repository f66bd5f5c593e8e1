(function(use,load,meta,require){"use strict";const {g:p}=use("chunk-AFUPYCZE.js");const {e:u,f:f}=use("chunk-SAQ7O7IP.js");
                                                                                  var k,T=()=>k??=require                 ("node:stream"),W=t=>T()[t];var h=W("addAbortSignal");var E={summary:"Serve tools to an AI agent over MCP (stdin and stdout)",description:"Without a mandate, the tools only read. They use the simulation unless --env or --profile is on this command line: \
a variable or the config file does not suffice. docs/agents.md shows how to connect agents.",options:{mandate:{value:"FILE",kind:"file",summary:"also trade, within this signed mandate: its file, or th\
e name of its bot"},gate:{summary:"also trade, through the gate at the address of the environment (perp gate serve)"}},examples:[["perp mcp","tools that read the simulation"],["perp mcp --mandate grid",
"tools that trade within a mandate"],["perp --env live mcp --gate","tools that trade through a gate of another user"]],changesMore:!0,async run(t,r){var l=[];try{let{environment:o,lookup:i,dryRun:m}=t.
settings;if(m)throw p("perp mcp can't be combined with --dry-run.","Omit --dry-run.");let e=i.find("env")?.from;let s=e==="--env"||i.profile!==void 0&&i.find("profile")?.from==="--profile";if(o!=="sim"&&
!s)throw p(`The environment is ${o} because of ${e}, which does not suffice for an agent.`,`Add --env ${o}, --env sim or --profile NAME to the command line of perp mcp.`);let{serveTools:g}=await load  ("./server-HBMIOD4H.js");
let{io:n}=t;let x=u(l,new AsyncDisposableStack,!0);let b=await S(t,r,x);n.stdinIsTerminal&&t.note("This command is for an agent's program, which sends lines of JSON-RPC. Ctrl-C ends it.");let d=g({desk:b,
version:t.registry.version,input:h(t.signal,n.input()),write:a=>n.out(a),note(a){t.signal.aborted||t.note(a)}});let y=()=>{d.close()};t.signal.addEventListener("abort",y,{once:!0});await d.closed;return{
kind:"text",text:""}}catch(v){var w=v,D=!0}finally{var c=f(l,w,D);c&&await c}}};async function S(t,{mandate:r,gate:o},i){let{gatedDesk:m,readingDesk:e,tradingDesk:s}=await load  ("./agent-console-T7FTDS2R.js");
if(r!==void 0&&o)throw p("--mandate and --gate can't be combined.","With a gate, its owner sets the mandate.");return r!==void 0?i.use(await s(t,r)):o?await m(t):e(t)}                     

return{command:E}})