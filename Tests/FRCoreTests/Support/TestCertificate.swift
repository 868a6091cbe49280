import Foundation

/// Certificates that were made for these tests and whose keys were deleted.
///
/// The hashes were computed with `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256
/// -binary | base64`.
struct TestCertificate: Sendable {
    let base64: String
    let hash: String

    var der: Data { Data(base64Encoded: base64) ?? Data() }

    static let chain = [server, issuer, root]

    /// `CN=am.example.com`, RSA 2048, issued by `issuer`.
    static let server = TestCertificate(
        base64: """
            MIICWzCCAgGgAwIBAgIUeptsvu+TxAps4JqsS2xuGYq3/sswCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLVGVzdCBJc3N1ZXIw\
            IBcNMjYxMTIyMDYwNjA2WhgPMjA1MTA3MTQwNjA2MDZaMBkxFzAVBgNVBAMMDmFtLmV4YW1wbGUuY29tMIIBIjANBgkqhkiG\
            9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7CxJROBOBod9NFV0MJi4ojt2jUJLQ+sFawfmLCBJ/yowglFbnkyoSENpkGZ1Lo3LTE8X\
            8+2J+EK7PgH6wyWNtlpy7tcMymVfsPcD4V9QGOusE+7E2RwjgzF/viD7DyQ2nIEvhdfWe7cfxsLd+pLPJtGjj5ZfIPKBts8o\
            23GpNrDkvdvU5e+oJWt2ojtYSfqhhiCoQPXNlSuOj0aV+tbxe/CXVqiBgpnNIAQGnyh5np9e0qfiBRZ4W5aLhaZFzEMKDsXr\
            ubbmirfTt6jls48r0gqwwx7V7JTOcOx3w81FJ+jazN3SWitsBd0bOYy03uToZlUQwB+pXXjfkmKg4orElQIDAQABo10wWzAZ\
            BgNVHREEEjAQgg5hbS5leGFtcGxlLmNvbTAdBgNVHQ4EFgQU8Pv9L6Kf6bMF+PLPUEMypfo2tpYwHwYDVR0jBBgwFoAUU5BJ\
            +eA18QwysX1YibPhmLmKUxMwCgYIKoZIzj0EAwIDSAAwRQIgJCBazmuhWBftLX/LTTXEMXaivwYxd0F0WIZzEErPzKACIQC2\
            v3lcNjijTyR+G6alzJAOj+85CvGCgwyl9B82MYbgmw==
            """,
        hash: "O7IVUV6K5VIUB0wEmiMG0hhIo55MHyaPa0b9B3McXfA="
    )

    /// `CN=Test Issuer`, P-256, issued by `root`.
    static let issuer = TestCertificate(
        base64: """
            MIIBgjCCASegAwIBAgIUMdXQFq/cqI6kLldnhHUbMq3APBUwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJVGVzdCBSb290MCAX\
            DTI2MTEyMjA2MDYwNloYDzIwNTEwNzE0MDYwNjA2WjAWMRQwEgYDVQQDDAtUZXN0IElzc3VlcjBZMBMGByqGSM49AgEGCCqG\
            SM49AwEHA0IABLVTO1y5yLbfaxfg0FmCXh0nxL4bsYCUqH1RBeNT7eYTThtMALzyGc0BunImTXz2jG2w/dKHb3gVseL+heFr\
            z92jUzBRMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFFOQSfngNfEMMrF9WImz4Zi5ilMTMB8GA1UdIwQYMBaAFGwaLdYZ\
            UV+eWx/BrxqQTTs1FbTbMAoGCCqGSM49BAMCA0kAMEYCIQDrGi9zdewWjueRrwZ0C43uG6l4DwQdj5AQ6X0EpMtWmAIhALzy\
            oT9CK4HCL8peV47Zgvp3LwjwhEJV7UmD6QZa3ohP
            """,
        hash: "tGrjgfkii9Lquaf1CT3Ca3T4+LO+/RbgwpUmCQYs/AI="
    )

    /// `CN=Test Root`, P-256, self-signed.
    static let root = TestCertificate(
        base64: """
            MIIBgDCCASWgAwIBAgIUYECSh9RpP/EiOO6dZB69Ts/FswYwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJVGVzdCBSb290MCAX\
            DTI2MTEyMjA2MDYwNVoYDzIwNTEwNzE0MDYwNjA1WjAUMRIwEAYDVQQDDAlUZXN0IFJvb3QwWTATBgcqhkjOPQIBBggqhkjO\
            PQMBBwNCAARNvU5yS31f0ptwaaoV8O/ZegFjGF6CgSBkwAF/XL6/G/JOpY7FbgX+1BooRYpUbl6aTQdf3YVf4RbIEdQHaJ6w\
            o1MwUTAdBgNVHQ4EFgQUbBot1hlRX55bH8GvGpBNOzUVtNswHwYDVR0jBBgwFoAUbBot1hlRX55bH8GvGpBNOzUVtNswDwYD\
            VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA6xrnqnYKOW5TgjOw4drM/GwHrHjzF6y3XQz4MyrD19ACIQCCGRAL\
            4Eax8D1R8KEnhpVgEm4UyNtsskzNT+Ll0gDK3Q==
            """,
        hash: "M/FCoDSeYxySXzMb7NpZiel3q3aKKOlMx/xR8TJ9/1Y="
    )

    /// `CN=Old`, P-256, version 1; the certificate has no version field.
    static let versionOne = TestCertificate(
        base64: """
            MIIBGDCBvwIUOK99WknZbyJz/F+UcT4VrWKIMuEwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAwwDT2xkMCAXDTI2MTEyMjA2MDYw\
            N1oYDzIwNTEwNzE0MDYwNjA3WjAOMQwwCgYDVQQDDANPbGQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASRggHydAGpr6jz\
            wTfviaLuQHle03M1Y2+ewZFLLXBGWgaTIKSQoIH/jvMIW+I1HV84Z2GgBgYUrmIr2vwEpPr9MAoGCCqGSM49BAMCA0gAMEUC\
            IQDxHFwmDSyJjX6wMFyI3PRm+EQRRYQdowe5YBLyQuDerAIgTMvMJ8gWCqN1fnolCXgJ9P+I0OcuVoPSLKVHWIzwMHs=
            """,
        hash: "fmesaUBdveiY4dOXywpGbdpWjHgqPzikWZd5THtK3As="
    )
}
