# Warnings, optimisation and sanitizers of every target that is our own code.
function(hloscope_target_options target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Werror
                         # GCC 12 reports std::string operator+ wrongly (GCC bug 105651).
                         -Wno-restrict -march=${HLOSCOPE_ARCH})
  if(HLOSCOPE_SANITIZER)
    target_compile_options(${target} PRIVATE -fsanitize=${HLOSCOPE_SANITIZER}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${HLOSCOPE_SANITIZER})
  endif()
endfunction()

# hloscope_library(name SOURCES a.cpp ... DEPS lib ...): one static library per folder.
function(hloscope_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  hloscope_target_options(${name})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
endfunction()

# hloscope_test(name SOURCES a.cpp ... DEPS lib ...): one QtTest executable per library folder.
function(hloscope_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/tests)
  hloscope_target_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} hloscope_test_support)
  target_compile_definitions(${name} PRIVATE
    HLOSCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    HLOSCOPE_BINARY_DIR="${CMAKE_BINARY_DIR}/bin")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
