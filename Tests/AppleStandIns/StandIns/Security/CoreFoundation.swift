public import Foundation

/// On Apple platforms, `CFDictionary` is toll-free bridged to `NSDictionary`; here it is the same type.
public typealias CFDictionary = NSDictionary
/// On Apple platforms, `CFString` is toll-free bridged to `NSString`; here it is the same type.
public typealias CFString = NSString
/// On Apple platforms, `CFArray` is toll-free bridged to `NSArray`; here it is the same type.
public typealias CFArray = NSArray
/// Any object of CoreFoundation.
public typealias CFTypeRef = AnyObject
/// The result of a function in Security; 0 means success.
public typealias OSStatus = Int32
