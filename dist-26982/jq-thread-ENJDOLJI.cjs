require('../bin/start.js').use('jq-thread-ENJDOLJI.js');
