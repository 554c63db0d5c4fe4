#pragma once

#include <memory>
#include <string>
#include <vector>

#include "generate/generator.h"
#include "model/transformer.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::generate {

// A random Llama of two layers whose next token is neither certain nor arbitrary, for vocabularies of kVocabulary.
inline constexpr std::int32_t kVocabulary = 320;
inline constexpr std::int32_t kEndOfTurn = 319;
std::unique_ptr<model::Transformer> small_model(std::int64_t max_position = 512,
                                                const model::ModelOptions& options = {});

// Every byte is a token, the ids above are pieces of several letters; kEndOfTurn is special.
text::Tokenizer small_tokenizer();

// Requests with prompts of different lengths, each with its own seed. Stop tokens end some answers early.
std::vector<GenerateRequest> some_requests(int count, const SamplingOptions& sampling);

// One sample by the book: the whole text through the model for each token, no cache, no batch. Knows stop tokens and
// max_new_tokens.
record::Sample by_the_book(const model::Transformer& model, const GenerateRequest& request, int index);

// log-probabilities of the sample's tokens by one pass over the whole text
std::vector<float> log_probabilities_of(const model::Transformer& model, const record::Sample& sample);

}  // namespace tritonrl::generate
