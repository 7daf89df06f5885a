// The one function of bcryptprimitives.dll that programs in Rust need, for a Wine that lacks it.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    while (size) {
        ULONG part = size > 0x10000000 ? 0x10000000 : (ULONG)size;
        if (!SystemFunction036(data, part)) return FALSE;
        data += part;
        size -= part;
    }
    return TRUE;
}
