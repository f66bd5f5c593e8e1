(function(use,load,meta,require){"use strict";const {g:m}=use("chunk-KBEGXUNB.js");const {e:u,f:f}=use("chunk-SAQ7O7IP.js");
                                                                                  var k,T=()=>k??=require                 ("node:stream"),W=t=>T()[t];var h=W("addAbortSignal");var I={summary:"Serve tools to an AI agent over MCP (stdin and stdout)",description:"Without a mandate, the tools only read. They use the simulation unless --env or --profile is on this command line: \
a variable or the config file does not suffice. docs/agents.md shows how to connect agents.",options:{mandate:{value:"FILE",kind:"file",summary:"also trade, within this signed mandate: its file, or th\
e name of its bot"},gate:{summary:"also trade, through the gate at the address of the environment (perp gate serve)"}},examples:[["perp mcp","tools that read the simulation"],["perp mcp --mandate grid",
"tools that trade within a mandate"],["perp --env live mcp --gate","tools that trade through a gate of another user"]],changesMore:!0};async function O(t,r){var c=[];try{let{environment:o,lookup:i,dryRun:e}=t.
settings;if(e)throw m("perp mcp can't be combined with --dry-run.","Omit --dry-run.");let p=i.find("env")?.from;let n=p==="--env"||i.profile!==void 0&&i.find("profile")?.from==="--profile";if(o!=="sim"&&
!n)throw m(`The environment is ${o} because of ${p}, which does not suffice for an agent.`,`Add --env ${o}, --env sim or --profile NAME to the command line of perp mcp.`);let{serveTools:g}=await load  ("./server-AZOZZI3R.js");
let{io:s}=t;let x=u(c,new AsyncDisposableStack,!0);let b=await S(t,r,x);s.stdinIsTerminal&&t.note("This command is for an agent's program, which sends lines of JSON-RPC. Ctrl-C ends it.");let d=g({desk:b,
version:t.registry.version,input:h(t.signal,s.input()),write:a=>s.out(a),note(a){t.signal.aborted||t.note(a)}});let y=()=>{d.close()};t.signal.addEventListener("abort",y,{once:!0});await d.closed;return{
kind:"text",text:""}}catch(v){var w=v,D=!0}finally{var l=f(c,w,D);l&&await l}}async function S(t,{mandate:r,gate:o},i){let{gatedDesk:e,readingDesk:p,tradingDesk:n}=await load  ("./agent-desk-SLURE3FU.js");
if(r!==void 0&&o)throw m("--mandate and --gate can't be combined.","With a gate, its owner sets the mandate.");return r!==void 0?i.use(await n(t,r)):o?await e(t):p(t)}                              

return{command:I,run:O}})