# Debian's packages, or the same files staged by scripts/stage_offline.sh for a machine where nothing can be installed.
# docs/dependencies.md says why each is here.
if(EXISTS ${PROJECT_SOURCE_DIR}/.stage/usr)
  list(PREPEND CMAKE_PREFIX_PATH ${PROJECT_SOURCE_DIR}/.stage/usr)
  list(PREPEND CMAKE_LIBRARY_PATH ${PROJECT_SOURCE_DIR}/.stage/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()

find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_path(TOMLPP_INCLUDE_DIR toml++/toml.h REQUIRED)
find_package(Threads REQUIRED)

find_path(SECCOMP_INCLUDE_DIR seccomp.h REQUIRED)
find_library(SECCOMP_LIBRARY NAMES libseccomp.a seccomp REQUIRED)
add_library(tritonrl_seccomp INTERFACE)
target_include_directories(tritonrl_seccomp SYSTEM INTERFACE ${SECCOMP_INCLUDE_DIR})
target_link_libraries(tritonrl_seccomp INTERFACE ${SECCOMP_LIBRARY})

find_path(SQLITE_INCLUDE_DIR sqlite3.h REQUIRED)
find_library(SQLITE_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
add_library(tritonrl_sqlite INTERFACE)
target_include_directories(tritonrl_sqlite SYSTEM INTERFACE ${SQLITE_INCLUDE_DIR})
target_link_libraries(tritonrl_sqlite INTERFACE ${SQLITE_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)

# Shared on purpose: their static archives want two dozen further libraries, and security updates come to the shared ones.
find_path(CURL_INCLUDE_DIR curl/curl.h REQUIRED)
find_library(CURL_LIBRARY NAMES curl REQUIRED)
add_library(tritonrl_curl INTERFACE)
target_include_directories(tritonrl_curl SYSTEM INTERFACE ${CURL_INCLUDE_DIR})
target_link_libraries(tritonrl_curl INTERFACE ${CURL_LIBRARY})

find_path(CRYPTO_INCLUDE_DIR openssl/evp.h REQUIRED)
find_library(CRYPTO_LIBRARY NAMES crypto REQUIRED)
add_library(tritonrl_crypto INTERFACE)
target_include_directories(tritonrl_crypto SYSTEM INTERFACE ${CRYPTO_INCLUDE_DIR})
target_link_libraries(tritonrl_crypto INTERFACE ${CRYPTO_LIBRARY})
