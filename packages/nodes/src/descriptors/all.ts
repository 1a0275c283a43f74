export { aggregate } from '../aggregate/descriptor';
export { awsS3 } from '../aws-s3/descriptor';
export { aiTransform, code } from '../code/descriptor';
export { compareDatasets } from '../compare-datasets/descriptor';
export { compression } from '../compression/descriptor';
export { convertToFile } from '../convert-to-file/descriptor';
export { mySql } from '../my-sql/descriptor';
export { mongoDb } from '../mongo-db/descriptor';
export { postgres } from '../postgres/descriptor';
export { redis } from '../redis/descriptor';
export { s3 } from '../s3/descriptor';
export { cron } from '../schedule-trigger/descriptor-older';
export { crypto } from '../crypto/descriptor';
export { dataTable } from '../data-table/descriptor';
export { dateTime } from '../date-time/descriptor';
export { debugHelper } from '../debug-helper/descriptor';
export { editImage } from '../edit-image/descriptor';
export { emailReadImap } from '../email-read-imap/descriptor';
export { emailSend } from '../email-send/descriptor';
export { errorTrigger } from '../error-trigger/descriptor';
export { executeWorkflow } from '../execute-workflow/descriptor';
export { executeWorkflowTrigger } from '../execute-workflow-trigger/descriptor';
export { executionData } from '../execution-data/descriptor';
export { extractFromFile } from '../extract-from-file/descriptor';
export { filter } from '../filter/descriptor';
export { form } from '../form/descriptor';
export { formTrigger } from '../form-trigger/descriptor';
export { functionKind } from '../function/descriptor';
export { functionItem } from '../function/descriptor';
export { ftp } from '../ftp/descriptor';
export { graphql } from '../graphql/descriptor';
export { html, htmlExtract } from '../html/descriptor';
export { httpRequest } from '../http-request/descriptor';
export { iCal } from '../i-cal/descriptor';
export { ifKind } from '../if/descriptor';
export { interval } from '../schedule-trigger/descriptor-older';
export { itemLists } from '../item-lists/descriptor';
export { jwt } from '../jwt/descriptor';
export { lmChatOpenAi, lmOpenAi } from '../langchain/models/descriptor-openai';
export {
  lmChatAzureOpenAi,
  lmChatDeepSeek,
  lmChatGroq,
  lmChatMistralCloud,
  lmChatOpenRouter,
  lmChatVercelAiGateway,
  lmChatXAiGrok,
} from '../langchain/models/descriptor-compatible';
export {
  lmChatAlibabaCloud,
  lmChatCohere,
  lmChatLemonade,
  lmChatMinimax,
  lmChatMoonshot,
  lmChatNvidia,
} from '../langchain/models/descriptor-more';
export { lmChatAnthropic, lmChatGoogleGemini, lmChatOllama, lmOllama } from '../langchain/models/descriptor-other';
export { limit } from '../limit/descriptor';
export { manualTrigger } from '../pass-through/descriptor';
export { markdown } from '../markdown/descriptor';
export { merge } from '../merge/descriptor';
export { readPDF } from '../read-pdf/descriptor';
export { moveBinaryData } from '../move-binary-data/descriptor';
export { n8n } from '../n8n/descriptor';
export { n8nTrainingCustomerDatastore, n8nTrainingCustomerMessenger } from '../training-customers/descriptor';
export { noOp } from '../pass-through/descriptor';
export { readBinaryFile, readBinaryFiles, writeBinaryFile } from '../read-write-file/descriptor-older';
export { readWriteFile } from '../read-write-file/descriptor';
export { removeDuplicates } from '../remove-duplicates/descriptor';
export { renameKeys } from '../rename-keys/descriptor';
export { respondToWebhook } from '../respond-to-webhook/descriptor';
export { rssFeedRead } from '../rss-feed-read/descriptor';
export { rssFeedReadTrigger } from '../rss-feed-read-trigger/descriptor';
export { scheduleTrigger } from '../schedule-trigger/descriptor';
export { set } from '../set/descriptor';
export { simulate, simulateTrigger } from '../simulate/descriptor';
export { sort } from '../sort/descriptor';
export { splitInBatches } from '../split-in-batches/descriptor';
export { splitOut } from '../split-out/descriptor';
export { spreadsheetFile } from '../spreadsheet-file/descriptor';
export { ssh } from '../ssh/descriptor';
export { stickyNote } from '../pass-through/descriptor';
export { stopAndError } from '../stop-and-error/descriptor';
export { summarize } from '../summarize/descriptor';
export { switchKind } from '../switch/descriptor';
export { timeSaved } from '../pass-through/descriptor';
export { totp } from '../totp/descriptor';
export { wait } from '../wait/descriptor';
export { webhook } from '../webhook/descriptor';
export { xml } from '../xml/descriptor';
export { agent } from '../langchain/agent/descriptor';
export { chatTrigger } from '../langchain/chat/descriptor';
export { chat } from '../langchain/chat/message/descriptor';
export { memoryBufferWindow } from '../langchain/memory/descriptor';
export { memoryManager } from '../langchain/memory/manager/descriptor';
export { memoryMongoDbChat } from '../langchain/memory/mongo-db/descriptor';
export { memoryPostgresChat } from '../langchain/memory/postgres/descriptor';
export { memoryRedisChat } from '../langchain/memory/redis/descriptor';
export { chainLlm } from '../langchain/chains/chain-llm/descriptor';
export { chainRetrievalQa } from '../langchain/chains/chain-retrieval-qa/descriptor';
export { chainSummarization } from '../langchain/chains/chain-summarization/descriptor';
export { informationExtractor } from '../langchain/chains/information-extractor/descriptor';
export { sentimentAnalysis } from '../langchain/chains/sentiment-analysis/descriptor';
export { textClassifier } from '../langchain/chains/text-classifier/descriptor';
export { outputParserAutofixing } from '../langchain/parsers/output-parser-autofixing/descriptor';
export { outputParserItemList } from '../langchain/parsers/output-parser-item-list/descriptor';
export { outputParserStructured } from '../langchain/parsers/output-parser-structured/descriptor';
export { toolCalculator } from '../langchain/tools/calculator/descriptor';
export { toolCode } from '../langchain/tools/code/descriptor';
export { toolHttpRequest } from '../langchain/tools/http-request/descriptor';
export { toolThink } from '../langchain/tools/think/descriptor';
export { toolVectorStore } from '../langchain/tools/vector-store/descriptor';
export { toolSerpApi } from '../langchain/tools/serp-api/descriptor';
export { toolWikipedia } from '../langchain/tools/wikipedia/descriptor';
export { toolWorkflow } from '../langchain/tools/workflow/descriptor';
export { anthropic } from '../langchain/anthropic/descriptor';
export { googleGemini } from '../langchain/google-gemini/descriptor';
export { ollama } from '../langchain/ollama/descriptor';
export { openAi } from '../langchain/openai/descriptor';
export { openAiOlder } from '../open-ai/descriptor';
export { mcpClient } from '../langchain/mcp/client/descriptor';
export { mcpClientTool } from '../langchain/mcp/client-tool/descriptor';
export { mcpTrigger } from '../langchain/mcp/trigger/descriptor';
export {
  embeddingsAzureOpenAi,
  embeddingsCohere,
  embeddingsGoogleGemini,
  embeddingsMistralCloud,
  embeddingsOllama,
  embeddingsOpenAi,
} from '../langchain/retrieval/embeddings/descriptor';
export {
  textSplitterCharacterTextSplitter,
  textSplitterRecursiveCharacterTextSplitter,
  textSplitterTokenSplitter,
} from '../langchain/retrieval/splitters/descriptor';
export { documentDefaultDataLoader } from '../langchain/retrieval/loader/descriptor';
export { vectorStoreInMemory } from '../langchain/retrieval/in-memory/descriptor';
export { rerankerCohere } from '../langchain/retrieval/reranker/descriptor';
export { retrieverVectorStore } from '../langchain/retrieval/retrievers/descriptor';
export { vectorStorePGVector } from '../langchain/retrieval/pg-vector/descriptor';
export { vectorStorePinecone } from '../langchain/retrieval/pinecone/descriptor';
export { vectorStoreQdrant } from '../langchain/retrieval/qdrant/descriptor';
export { vectorStoreSupabase } from '../langchain/retrieval/supabase/descriptor';
export { vectorStoreWeaviate } from '../langchain/retrieval/weaviate/descriptor';
