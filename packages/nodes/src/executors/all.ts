export { aggregate } from '../aggregate/executor';
export { awsS3 } from '../aws-s3/executor';
export { aiTransform, code } from '../code/executor';
export { functionItem, functionNode } from '../function/executor';
export { compareDatasets } from '../compare-datasets/executor';
export { crypto } from '../crypto/executor';
export { dataTable } from '../data-table/executor';
export { dateTime } from '../date-time/executor';
export { debugHelper } from '../debug-helper/executor';
export { editImage } from '../edit-image/executor';
export { emailReadImap } from '../email-read-imap/executor';
export { emailSend } from '../email-send/executor';
export { errorTrigger } from '../error-trigger/executor';
export { executeWorkflow } from '../execute-workflow/executor';
export { executeWorkflowTrigger } from '../execute-workflow-trigger/executor';
export { executionData } from '../execution-data/executor';
export { compression } from '../compression/executor';
export { convertToFile } from '../convert-to-file/executor';
export { extractFromFile } from '../extract-from-file/executor';
export { iCal } from '../i-cal/executor';
export { readPDF } from '../read-pdf/executor';
export { moveBinaryData } from '../move-binary-data/executor';
export { mySql } from '../my-sql/executor';
export { mongoDb } from '../mongo-db/executor';
export { postgres } from '../postgres/executor';
export { redis } from '../redis/executor';
export { spreadsheetFile } from '../spreadsheet-file/executor';
export { filter } from '../filter/executor';
export { form } from '../form/executor';
export { formTrigger } from '../form-trigger/executor';
export { ftp } from '../ftp/executor';
export { graphql } from '../graphql/executor';
export { html, htmlExtract } from '../html/executor';
export { httpRequest } from '../http-request/executor';
export { ifNode } from '../if/executor';
export { itemLists } from '../item-lists/executor';
export { jwt } from '../jwt/executor';
export {
  lmChatAlibabaCloud,
  lmChatAnthropic,
  lmChatAzureOpenAi,
  lmChatCohere,
  lmChatDeepSeek,
  lmChatGoogleGemini,
  lmChatGroq,
  lmChatLemonade,
  lmChatMinimax,
  lmChatMistralCloud,
  lmChatMoonshot,
  lmChatNvidia,
  lmChatOllama,
  lmChatOpenAi,
  lmChatOpenRouter,
  lmChatVercelAiGateway,
  lmChatXAiGrok,
  lmOllama,
  lmOpenAi,
} from '../langchain/models/executor';
export { limit } from '../limit/executor';
export { manualTrigger } from '../pass-through/executor';
export { markdown } from '../markdown/executor';
export { merge } from '../merge/executor';
export { n8n } from '../n8n/executor';
export { n8nTrainingCustomerDatastore, n8nTrainingCustomerMessenger } from '../training-customers/executor';
export { noOp, timeSaved } from '../pass-through/executor';
export { readBinaryFile, readBinaryFiles, readWriteFile, writeBinaryFile } from '../read-write-file/executor';
export { removeDuplicates } from '../remove-duplicates/executor';
export { renameKeys } from '../rename-keys/executor';
export { respondToWebhook } from '../respond-to-webhook/executor';
export { rssFeedRead } from '../rss-feed-read/executor';
export { rssFeedReadTrigger } from '../rss-feed-read-trigger/executor';
export { s3 } from '../s3/executor';
export { cron, interval, scheduleTrigger } from '../schedule-trigger/executor';
export { set } from '../set/executor';
export { simulate, simulateTrigger } from '../simulate/executor';
export { sort } from '../sort/executor';
export { splitInBatches } from '../split-in-batches/executor';
export { splitOut } from '../split-out/executor';
export { stickyNote } from '../pass-through/executor';
export { ssh } from '../ssh/executor';
export { stopAndError } from '../stop-and-error/executor';
export { summarize } from '../summarize/executor';
export { switchNode } from '../switch/executor';
export { totp } from '../totp/executor';
export { wait } from '../wait/executor';
export { webhook } from '../webhook/executor';
export { xml } from '../xml/executor';
export { agent } from '../langchain/agent/executor';
export { chatTrigger } from '../langchain/chat/executor';
export { chat } from '../langchain/chat/message/executor';
export { memoryBufferWindow } from '../langchain/memory/executor';
export { memoryManager } from '../langchain/memory/manager/executor';
export { memoryMongoDbChat } from '../langchain/memory/mongo-db/executor';
export { memoryPostgresChat } from '../langchain/memory/postgres/executor';
export { memoryRedisChat } from '../langchain/memory/redis/executor';
export { chainLlm } from '../langchain/chains/chain-llm/executor';
export { chainRetrievalQa } from '../langchain/chains/chain-retrieval-qa/executor';
export { chainSummarization } from '../langchain/chains/chain-summarization/executor';
export { informationExtractor } from '../langchain/chains/information-extractor/executor';
export { sentimentAnalysis } from '../langchain/chains/sentiment-analysis/executor';
export { textClassifier } from '../langchain/chains/text-classifier/executor';
export { outputParserAutofixing } from '../langchain/parsers/output-parser-autofixing/executor';
export { outputParserItemList } from '../langchain/parsers/output-parser-item-list/executor';
export { outputParserStructured } from '../langchain/parsers/output-parser-structured/executor';
export { toolCalculator } from '../langchain/tools/calculator/executor';
export { toolCode } from '../langchain/tools/code/executor';
export { toolHttpRequest } from '../langchain/tools/http-request/executor';
export { toolThink } from '../langchain/tools/think/executor';
export { toolVectorStore } from '../langchain/tools/vector-store/executor';
export { toolSerpApi } from '../langchain/tools/serp-api/executor';
export { toolWikipedia } from '../langchain/tools/wikipedia/executor';
export { toolWorkflow } from '../langchain/tools/workflow/executor';
export { anthropic } from '../langchain/anthropic/executor';
export { googleGemini } from '../langchain/google-gemini/executor';
export { ollama } from '../langchain/ollama/executor';
export { openAi } from '../langchain/openai/executor';
export { openAiOlder } from '../open-ai/executor';
export { mcpClient } from '../langchain/mcp/client/executor';
export { mcpClientTool } from '../langchain/mcp/client-tool/executor';
export { mcpTrigger } from '../langchain/mcp/trigger/executor';
export {
  embeddingsAzureOpenAi,
  embeddingsCohere,
  embeddingsGoogleGemini,
  embeddingsMistralCloud,
  embeddingsOllama,
  embeddingsOpenAi,
} from '../langchain/retrieval/embeddings/executor';
export {
  textSplitterCharacterTextSplitter,
  textSplitterRecursiveCharacterTextSplitter,
  textSplitterTokenSplitter,
} from '../langchain/retrieval/splitters/executor';
export { documentDefaultDataLoader } from '../langchain/retrieval/loader/executor';
export { vectorStoreInMemory } from '../langchain/retrieval/in-memory/executor';
export { rerankerCohere } from '../langchain/retrieval/reranker/executor';
export { retrieverVectorStore } from '../langchain/retrieval/retrievers/executor';
export { vectorStorePGVector } from '../langchain/retrieval/pg-vector/executor';
export { vectorStorePinecone } from '../langchain/retrieval/pinecone/executor';
export { vectorStoreQdrant } from '../langchain/retrieval/qdrant/executor';
export { vectorStoreSupabase } from '../langchain/retrieval/supabase/executor';
export { vectorStoreWeaviate } from '../langchain/retrieval/weaviate/executor';
