(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e}=use("chunk-UQDKEMJA.js");use("chunk-NELMPA2W.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                     

return{Heartbeats:e,freshState:a,peekState:c,readState:d,writeState:b}})