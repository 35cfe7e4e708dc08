# Makes builtin_models.cpp, which holds the trained models, so that the program needs no data
# folder. There may be none.
set(HLOSCOPE_MODELS ${PROJECT_SOURCE_DIR}/resources/models CACHE PATH
    "Folder of the .safetensors files that are built in")
file(GLOB HLOSCOPE_MODEL_FILES CONFIGURE_DEPENDS ${HLOSCOPE_MODELS}/*.safetensors)
list(LENGTH HLOSCOPE_MODEL_FILES HLOSCOPE_MODEL_COUNT)
set(HLOSCOPE_MODEL_EMBEDS "")
set(HLOSCOPE_MODEL_SYMBOLS "")
set(HLOSCOPE_MODEL_ROWS "")
set(number 0)
foreach(file ${HLOSCOPE_MODEL_FILES})
  get_filename_component(name ${file} NAME_WLE)
  set(symbol hloscope_model_${number})
  string(APPEND HLOSCOPE_MODEL_EMBEDS "HLOSCOPE_EMBED(\"${symbol}\", \"${file}\");\n")
  string(APPEND HLOSCOPE_MODEL_SYMBOLS
         "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
  string(APPEND HLOSCOPE_MODEL_ROWS
         "      {\"${name}\", between(${symbol}, ${symbol}_end)},\n")
  math(EXPR number "${number} + 1")
endforeach()
configure_file(builtin_models.cpp.in builtin_models.cpp @ONLY)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/builtin_models.cpp
                            PROPERTIES OBJECT_DEPENDS "${HLOSCOPE_MODEL_FILES}")
