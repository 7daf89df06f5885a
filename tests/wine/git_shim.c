// git.exe for tests under Wine: has git_host.py run the real git, and passes on what that prints.
#include <winsock2.h>
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SOCKET host;

static void put(const void *bytes, unsigned length) {
    const char *at = bytes;
    while (length) {
        int sent = send(host, at, length, 0);
        if (sent <= 0) exit(126);
        at += sent;
        length -= sent;
    }
}

static void get(void *bytes, unsigned length) {
    char *at = bytes;
    while (length) {
        int got = recv(host, at, length, 0);
        if (got <= 0) exit(126);
        at += got;
        length -= got;
    }
}

static void put_field(const char *text, unsigned length) {
    put(&length, 4);
    put(text, length);
}

static void pass_on(HANDLE to) {
    static char buffer[65536];
    unsigned left;
    get(&left, 4);
    while (left) {
        unsigned part = left > sizeof buffer ? sizeof buffer : left;
        DWORD written;
        get(buffer, part);
        WriteFile(to, buffer, part, &written, NULL);
        left -= part;
    }
}

static void put_variables(void) {
    char *all = GetEnvironmentStringsA();
    unsigned count = 0;
    for (char *one = all; *one; one += strlen(one) + 1) count += !strncmp(one, "GIT_", 4);
    put(&count, 4);
    for (char *one = all; *one; one += strlen(one) + 1)
        if (!strncmp(one, "GIT_", 4)) put_field(one, strlen(one));
}

static void put_input(void) {
    HANDLE from = GetStdHandle(STD_INPUT_HANDLE);
    char *input = NULL;
    unsigned length = 0, room = 0;
    DWORD got;
    while (from && from != INVALID_HANDLE_VALUE) {
        if (room - length < 65536 && !(input = realloc(input, room += 1 << 20))) exit(126);
        if (!ReadFile(from, input + length, 65536, &got, NULL) || !got) break;
        length += got;
    }
    put_field(input ? input : "", length);
}

// The port is in a file beside this program: what calls git may clear the environment.
static int port(void) {
    char place[4096];
    int number = 0;
    GetModuleFileNameA(NULL, place, sizeof place - 5);
    strcpy(strrchr(place, '\\') + 1, "port");
    FILE *file = fopen(place, "r");
    if (!file || fscanf(file, "%d", &number) != 1) exit(126);
    fclose(file);
    return number;
}

int main(int count, char **words) {
    struct sockaddr_in address = {0};
    WSADATA data;
    char folder[4096];
    unsigned arguments = count - 1;
    int status;

    WSAStartup(0x202, &data);
    address.sin_family = AF_INET;
    address.sin_port = htons(port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    host = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(host, (struct sockaddr *)&address, sizeof address)) return 127;

    put(&arguments, 4);
    for (int at = 1; at < count; at++) put_field(words[at], strlen(words[at]));
    GetCurrentDirectoryA(sizeof folder, folder);
    put_field(folder, strlen(folder));
    put_variables();
    put_input();

    pass_on(GetStdHandle(STD_OUTPUT_HANDLE));
    pass_on(GetStdHandle(STD_ERROR_HANDLE));
    get(&status, 4);
    return status;
}
