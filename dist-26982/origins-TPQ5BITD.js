(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-MUH5TCXE.js");use("chunk-P6UV3LLU.js");use("chunk-YBTAAL3A.js");use("chunk-H2FW6HGO.js");use("chunk-AM2K4NXB.js");use("chunk-KBVBNEIN.js");use("chunk-6NTNUPXR.js");use("chunk-JGSFIJ5T.js");use("chunk-3E5D5CZJ.js");use("chunk-HDEVVJVD.js");use("chunk-QLB3KRDP.js");use("chunk-3UDTZWDL.js");use("chunk-NJZNRZ66.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                 
                                                                                                                                                                        
                                                                                                                       

return{Origins:a,originOf:b}})