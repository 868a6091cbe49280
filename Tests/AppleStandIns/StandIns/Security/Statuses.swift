/// No error.
public let errSecSuccess: OSStatus = 0
/// One or more parameters passed to a function were not valid.
public let errSecParam: OSStatus = -50
/// The owner did not agree.
public let errSecUserCanceled: OSStatus = -128
/// No keychain is available.
public let errSecNotAvailable: OSStatus = -25291
/// The user name or passphrase is not correct.
public let errSecAuthFailed: OSStatus = -25293
/// The item already exists.
public let errSecDuplicateItem: OSStatus = -25299
/// The item cannot be found.
public let errSecItemNotFound: OSStatus = -25300
/// The attribute does not exist.
public let errSecNoSuchAttr: OSStatus = -25303
/// Interaction with the user is not allowed, for example while the device is locked.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26275
/// An entitlement is missing.
public let errSecMissingEntitlement: OSStatus = -34018
